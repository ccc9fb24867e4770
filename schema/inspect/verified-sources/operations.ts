import type { Hex } from 'viem'
import {
  codeMismatch,
  sourceNotFound,
  sourcesUnavailable,
} from '../../../relayer/inspect/verified-sources/errors.ts'
import { publicQuery } from '../../define/operation.ts'
import { z } from 'zod'
import { address, chainId, hash, hexDigits } from '../../define/scalars.ts'
import { described, parameters, shape } from '../../define/shape.ts'

const selector = z
  .string()
  .regex(/^0x[0-9a-fA-F]{8}$/, 'expected a selector: 0x and eight hex digits')
  .meta({ examples: ['0xa9059cbb'] })

const sourcifyQuery = parameters({
  chainId,
  address: described(address, 'The contract that is called.'),
  selector: described(selector, 'The first four bytes of the calldata.'),
  caller: described(address.optional(), 'Accepted and ignored: it is neither logged nor passed on.'),
})

const match = described(z.enum(['exact_match', 'match']), 'How well sources fit.', { id: 'SourceMatch' })

const verifiedFunction = shape('VerifiedFunction', 'A function of a contract whose source was verified.', {
  evidenceVersion: described(z.literal(1), 'Version of this evidence.'),
  chainId,
  address: described(address, 'The contract that was asked about, checksummed.'),
  selector: described(hexDigits, 'The selector that was asked about, lower case.'),
  contractKind: described(
    z.enum(['contract', 'proxy']),
    'proxy: the contract runs the code of another one (EIP-1167, EIP-1967).',
    { id: 'ContractKind' },
  ),
  functionDeclaration: described(
    z.string(),
    'The function as Solidity declares it, with the names of its parameters where they are identifiers.',
  ),
  functionHash: described(hash, 'keccak256 of its canonical signature; begins with the selector.'),
  runtimeCodeHash: described(hash, 'keccak256 of the code at `address`, in the newest block.'),
  match: described(
    match,
    'exact_match: the hash of the metadata in the code proves the sources and this function. match: the server says that its sources compile to this code.',
  ),
  runtimeMatch: described(match, 'The same of the code that runs, which is what is compared here.'),
  sourceUrl: described(z.string(), 'Page that shows the sources.'),
  implementation: described(
    shape('VerifiedImplementation', 'The contract behind a proxy.', {
      address: described(address, 'Its address, checksummed.'),
      runtimeCodeHash: described(hash, 'keccak256 of its code, in the newest block.'),
    }).nullable(),
    'The contract that has the function, where that is the one behind a proxy; else null.',
  ),
})

export const verifiedSourceOperations = [
  publicQuery({
    name: 'sourcifyFunction',
    rest: 'GET /v1/clear-signing/sourcify-function',
    limit: 120,
    errors: [sourceNotFound, codeMismatch, sourcesUnavailable],
    section: 'Before signing',
    summary: 'The function of a verified contract',
    description:
      'As its verified source declares it. That the source’s code is the one on chain is checked here, byte by byte; behind a proxy, the contract that it points to now is compared. `match` still relies on the server for one thing: that the sources compile to that code.',
    input: { query: sourcifyQuery },
    output: verifiedFunction,
    run: async ({ query: { chainId, address, selector } }, { services }) => {
      const asked = { chainId, address, selector: selector.toLowerCase() as Hex }
      return { evidenceVersion: 1 as const, ...asked, ...(await services.verifiedSources.find(asked)) }
    },
  }),
]
