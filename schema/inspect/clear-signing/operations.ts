import { createHash } from 'node:crypto'
import type { FoundDescriptor } from '../../../relayer/inspect/clear-signing/clear-signing.ts'
import { badRequest } from '../../../relayer/errors.ts'
import { bindingUnavailable, descriptorNotFound } from '../../../relayer/inspect/clear-signing/errors.ts'
import { publicQuery } from '../../define/operation.ts'
import { z } from 'zod'
import type { Hex } from 'viem'
import { address, addressText, chainId, hash } from '../../define/scalars.ts'
import { described, parameters, shape } from '../../define/shape.ts'

const kind = described(
  z.enum(['calldata', 'eip712']),
  'calldata: the effect of a call. eip712: the content of a signed message.',
  { id: 'DescriptorKind' },
)

const selector = z.codec(
  z
    .string()
    .regex(/^0x[0-9a-fA-F]{8}$/, 'expected a selector: 0x and eight hex digits')
    .meta({ examples: ['0xa9059cbb'] }),
  z.custom<Hex>(),
  { decode: (text) => text.toLowerCase() as Hex, encode: (hex) => hex },
)

const descriptorQuery = parameters({
  chainId,
  address: described(address, 'The contract that is called, or the `verifyingContract` of the message.'),
  kind,
  caller: described(
    address.optional(),
    'The caller. It matters for the admin of a transparent proxy alone, whose calls end in the proxy; it is neither logged nor passed on.',
  ),
  selector: described(selector.optional(), 'First 4 bytes of the call; of kind `calldata` alone.'),
  formatKey: described(
    z.string().min(1).max(4_096).optional(),
    'The function (`transfer(address,uint256)`) or the type by EIP-712 (`Permit(address owner,…)`), or the 32 bytes of its keccak256. Required where several descriptors are about the contract.',
    { examples: ['transfer(address to, uint256 amount)'] },
  ),
})

const source = shape('DescriptorSource', 'Source of a descriptor.', {
  registry: described(z.string(), 'Name of the registry, as the operator calls it.'),
  status: described(
    z.enum(['merged', 'pull_request', 'local']),
    'merged: in the registry at that commit. pull_request: proposed to it. local: the operator’s own.',
    { id: 'DescriptorStatus' },
  ),
  repository: described(z.string().nullable(), 'URL of the registry; null for the operator’s own.'),
  commit: described(z.string().nullable(), 'The commit that was imported; null for the operator’s own.'),
  path: described(z.string(), 'The descriptor’s file in the registry.'),
  url: described(z.string().nullable(), 'URL of the file at that commit; null for the operator’s own.'),
  descriptorHash: described(
    hash,
    'keccak256 of the canonical JSON (RFC 8785) of `descriptor`, which every client can compute. The ETag begins with it.',
  ),
  pullRequest: described(
    z.int().nullable(),
    'Number of the proposal; null unless the status is pull_request.',
  ),
})

const evidence = shape('DescriptorEvidence', 'Evidence that a descriptor is about the contract.', {
  kind: described(
    z.enum([
      'registry',
      'eip1167',
      'eip1967',
      'eip1967_beacon',
      'token_catalog',
      'erc165',
      'domain_separator',
    ]),
    'registry: it names the contract. eip1167: the contract’s code is a minimal proxy. eip1967, eip1967_beacon: the contract’s own slots, which it may write at will. token_catalog: the configuration or the token list has the token, with the decimals that its contract states. erc165: the contract says so itself. domain_separator: as token_catalog, and the contract has the domain that ERC-2612 permits are signed under.',
    { id: 'DescriptorEvidenceKind' },
  ),
  onchainDecimals: described(
    z.int().nullable(),
    'Decimals that the token’s contract states; null unless it is a listed token.',
  ),
  catalogSources: described(
    z.array(z.string()),
    'Lists that have the token: configuration or token-list; empty unless it is listed.',
  ),
})

const tokenStandard = z
  .enum(['erc20', 'erc721', 'erc2612'])
  .meta({ id: 'DescriptorStandard', description: 'A standard that a descriptor is about.' })

const binding = shape('DescriptorBinding', 'Why a descriptor applies.', {
  kind: described(
    z.enum(['deployment', 'proxy', 'standard']),
    'deployment: it names the contract. proxy: it names what is behind the contract at the newest block. standard: it describes a standard that the contract follows.',
    { id: 'DescriptorBindingKind' },
  ),
  standard: described(tokenStandard.nullable(), 'The standard; null unless the kind is standard.'),
  chainId,
  address: described(
    addressText,
    'The contract that the descriptor’s deployments name: the implementation behind a proxy.',
  ),
  evidence: described(evidence, 'The evidence.'),
})

const clearSigningDescriptor = shape(
  'ClearSigningDescriptor',
  'The meaning of a contract’s calls or messages, by ERC-7730.',
  {
    kind,
    descriptor: described(
      z.record(z.string(), z.unknown()),
      'The descriptor, what it includes merged, its formats for all functions or types. Of a standard, with this contract as its only deployment.',
    ),
    source: described(source, 'Its source.'),
    binding: described(binding, 'Why it applies.'),
  },
)

/** Seconds for which anybody may cache an answer. */
const MAX_AGE = 300
/** Most characters of a descriptor by GraphQL, which does not compress: one document may request many. */
const MOST_BY_GRAPHQL = 65_536

export const clearSigningOperations = [
  publicQuery({
    name: 'clearSigningDescriptor',
    rest: 'GET /v1/clear-signing/descriptor',
    limit: 120,
    errors: [descriptorNotFound, bindingUnavailable],
    section: 'Before signing',
    summary: 'Meaning of a call or a message',
    description:
      'The descriptor (ERC-7730) of a contract, out of a registry that was imported at a commit and checked. It names the contract, or what is behind its proxy, or describes a standard that the contract provably follows; a token is one only if the catalogue has this very address. 404 where there is none, or where the descriptor leaves that function out. It says what the contract’s makers say, not what the contract does. REST has an ETag and answers 304 to If-None-Match; GraphQL answers descriptors of at most 65,536 characters.',
    input: { query: descriptorQuery },
    output: clearSigningDescriptor,
    async run({ query }, { services }) {
      const { text, source, binding } = await services.clearSigning.lookup(query)
      if (text.length > MOST_BY_GRAPHQL)
        throw badRequest(`query: the descriptor is longer than ${MOST_BY_GRAPHQL} characters; ask by REST`)
      const descriptor = JSON.parse(text) as Record<string, unknown>
      return { kind: query.kind, descriptor, source, binding: describeBinding(binding) }
    },
    async answerInParts({ query }, { services }) {
      const found = await services.clearSigning.lookup(query)
      const { source, binding } = found
      const before = `{"kind":"${query.kind}","descriptor":`
      const after = `,"source":${JSON.stringify(source)},"binding":${JSON.stringify(describeBinding(binding))}}`
      const beside = createHash('sha256').update(before).update(after).digest('hex').slice(0, 16)
      return {
        // The same descriptor may come from another commit, or be bound to another implementation.
        version: `${source.descriptorHash}-${beside}`,
        cacheControl: `public, max-age=${MAX_AGE}`,
        parts: async () => [before, await found.pack(), after],
      }
    },
  }),
]

const describeBinding = ({ evidence, ...binding }: FoundDescriptor['binding']) => ({
  ...binding,
  evidence: { ...evidence, catalogSources: [...evidence.catalogSources] },
})
