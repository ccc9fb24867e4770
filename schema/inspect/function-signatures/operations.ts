import type { Hex } from 'viem'
import {
  pickSignature,
  SIGNATURE_SOURCES,
} from '../../../relayer/inspect/function-signatures/function-signatures.ts'
import { defineOperation } from '../../define/operation.ts'
import { z } from 'zod'
import { hexDigits } from '../../define/scalars.ts'
import { described, shape } from '../../define/shape.ts'

const selector = z
  .string()
  .regex(/^0x[0-9a-fA-F]{8}$/, 'expected a selector: 0x and eight hex digits')
  .meta({ examples: ['0xa9059cbb'] })

const signaturesBody = shape('FunctionSignaturesBody', 'Selectors of functions or errors.', {
  selectors: described(
    z.array(selector).min(1).max(100),
    'The first four bytes of calldata or of an error, at most 100.',
  ),
})

const candidate = shape('SignatureCandidate', 'A function or error that a selector may name.', {
  signature: described(
    hexDigits,
    'Canonical signature, `transfer(address,uint256)`; it hashes to the selector.',
  ),
  source: described(
    z.enum(SIGNATURE_SOURCES),
    'How much is known of it, the best first. standard: of a standard or the service’s own contracts. descriptor: of the clear-signing registry. verified: of a contract whose source was verified. reported: merely reported by a third party.',
    { id: 'SignatureSource' },
  ),
  suspicious: described(
    z.boolean(),
    'True when it looks as if its name was searched for until the selector was the same as another’s.',
  ),
})

const functionSignatures = shape('FunctionSignatures', 'Functions that the selectors may name.', {
  signatures: described(
    z.record(z.string(), z.string().nullable()),
    'By selector in lower case: the one signature of the best source; null where there are several or none.',
  ),
  candidates: described(
    z.record(z.string(), z.array(candidate)),
    'By selector in lower case: at most ten candidates, the best first. Decode the calldata with each and keep those whose arguments encode to the same bytes.',
  ),
})

export const functionSignatureOperations = [
  defineOperation({
    name: 'functionSignatures',
    kind: 'query',
    rest: 'POST /v1/function-signatures',
    status: 200,
    access: 'bearer',
    limit: 60,
    errors: [],
    section: 'Before signing',
    summary: 'Which functions selectors may name',
    description:
      'Of standards, the service’s own contracts, the clear-signing registry and what the operator imported. Every signature is hashed here, so none comes with a selector that is not its own. An unknown selector has null and no candidates.',
    input: { body: signaturesBody },
    output: functionSignatures,
    run: async ({ body }, { services }) => {
      const selectors = body.selectors.map((selector) => selector.toLowerCase() as Hex)
      const found = await services.functionSignatures.lookup(selectors)
      return {
        signatures: Object.fromEntries(
          [...found].map(([key, candidates]) => [key, pickSignature(candidates)]),
        ),
        candidates: Object.fromEntries([...found].map(([key, candidates]) => [key, [...candidates]])),
      }
    },
  }),
]
