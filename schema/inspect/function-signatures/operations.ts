import type { Hex } from 'viem'
import { pickSignature } from '../../../relayer/inspect/function-signatures/function-signatures.ts'
import { defineOperation } from '../../define/operation.ts'
import { functionSignatures, signaturesBody } from './model.ts'

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
