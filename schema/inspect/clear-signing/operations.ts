import { createHash } from 'node:crypto'
import type { FoundDescriptor } from '../../../relayer/inspect/clear-signing/clear-signing.ts'
import { badRequest } from '../../../relayer/errors.ts'
import { bindingUnavailable, descriptorNotFound } from '../../../relayer/inspect/clear-signing/errors.ts'
import { publicQuery } from '../../define/public-query.ts'
import { clearSigningDescriptor, descriptorQuery } from './model.ts'

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
    summary: 'What a call or a message means',
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
