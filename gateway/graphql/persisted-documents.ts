import { createHash } from 'node:crypto'
import {
  defaultExtractPersistedOperationId,
  usePersistedOperations,
} from '@graphql-yoga/plugin-persisted-operations'
import { createGraphQLError, type Plugin } from 'graphql-yoga'
import { badRequest } from '../../relayer/errors.ts'
import type { DefinedError } from '../../relayer/service-error.ts'
import { SharedPlaces } from '../../relayer/shares/shared-places.ts'
import {
  persistedQueryMismatch,
  persistedQueryNotFound,
  persistedQueryOnly,
} from '../../schema/define/graph-errors.ts'
import type { ListedDocuments } from './listed-documents.ts'

/** Limits for documents that clients sent with their hash: number and length. */
const MOST_KEPT = 500
const LONGEST_KEPT = 16_000

export interface PersistedOptions {
  /** The operator's documents, by hash. */
  listed: ListedDocuments
  /** True if other documents are refused. */
  onlyListed: boolean
}

/**
 * Documents named by their hash in `extensions.persistedQuery`: those that the operator lists, and, unless only those
 * are allowed, automatic persisted queries.
 */
export function persistedDocuments({ listed, onlyListed }: PersistedOptions): Plugin {
  if (!onlyListed) return automaticDocuments(listed)
  const refused = () => refusal(persistedQueryOnly)
  return usePersistedOperations({
    getPersistedOperation: (hash) => listed.get(hash) ?? null,
    customErrors: { notFound: refused, keyNotFound: refused, persistedQueryOnly: refused },
  })
}

/**
 * Automatic persisted queries: documents that a client sent before along with their SHA-256. By hand, because
 * @graphql-yoga/plugin-apq 3.6.2 requires a version of @graphql-tools/utils that cannot be installed beside this Yoga.
 */
function automaticDocuments(listed: ListedDocuments): Plugin {
  const kept = new SharedPlaces<string, string>(MOST_KEPT)
  return {
    onParams({ params, setParams, request }) {
      if (!params.extensions?.['persistedQuery']) return
      const hash = defaultExtractPersistedOperationId(params, request, {})
      if (hash === null)
        throw refusal(badRequest, {
          message: 'extensions.persistedQuery: expected version 1 and sha256Hash',
        })
      const known = listed.get(hash)
      const query = known ?? params.query ?? kept.get(hash)
      if (query === undefined) throw refusal(persistedQueryNotFound, { status: 200 })
      if (known === undefined && createHash('sha256').update(query).digest('hex') !== hash)
        throw refusal(persistedQueryMismatch)
      if (known === undefined && query.length <= LONGEST_KEPT) kept.set(hash, query)
      setParams({ ...params, query })
    },
  }
}

/** A GraphQL error, because Yoga accepts no other error before a document runs. */
const refusal = (
  { terms, example }: DefinedError,
  { message = example, status = 400 }: { message?: string; status?: number } = {},
): Error => createGraphQLError(message, { extensions: { code: terms.code, http: { status } } })
