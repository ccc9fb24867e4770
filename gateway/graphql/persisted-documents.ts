import { createHash } from 'node:crypto'
import { createGraphQLError, type Plugin } from 'graphql-yoga'
import { z } from 'zod'
import type { DefinedError } from '../../relayer/service-error.ts'
import { SharedPlaces } from '../../relayer/shares/shared-places.ts'
import {
  persistedQueryMismatch,
  persistedQueryNotFound,
  persistedQueryOnly,
} from '../../schema/define/graph-errors.ts'
import { badRequest } from '../../relayer/errors.ts'

/** Limits for documents that clients sent with their hash: number and length. */
const MOST_KEPT = 500
const LONGEST_KEPT = 16_000

const persistedQuery = z.object({ version: z.literal(1), sha256Hash: z.string().min(1).max(200) })

export interface PersistedOptions {
  /** The operator's documents, by hash. */
  listed: ReadonlyMap<string, string>
  /** True if other documents are refused. */
  onlyListed: boolean
}

/**
 * Documents named by their hash in `extensions.persistedQuery`: those that the operator lists, and, unless only those
 * are allowed, automatic persisted queries. The latter are documents that a client sent before along with their
 * SHA-256.
 */
export function persistedDocuments({ listed, onlyListed }: PersistedOptions): Plugin {
  const kept = new SharedPlaces<string, string>(MOST_KEPT)

  function documentOf(hash: string, query: string | undefined): string {
    const known = listed.get(hash)
    if (known !== undefined) return known
    if (onlyListed) throw notListed()
    if (query === undefined) return kept.get(hash) ?? notFound()
    if (createHash('sha256').update(query).digest('hex') !== hash) throw refusal(persistedQueryMismatch)
    if (query.length <= LONGEST_KEPT) kept.set(hash, query)
    return query
  }

  return {
    onParams({ params, setParams }) {
      const extension: unknown = params.extensions?.['persistedQuery']
      if (extension === undefined || extension === null) {
        if (onlyListed) throw notListed()
        return
      }
      const { success, data } = persistedQuery.safeParse(extension)
      if (!success)
        throw refusal(badRequest, { message: 'extensions.persistedQuery: expected version 1 and sha256Hash' })
      setParams({ ...params, query: documentOf(data.sha256Hash, params.query ?? undefined) })
    },
  }
}

/** Clients recognise this message and then send the document as well. */
function notFound(): never {
  throw refusal(persistedQueryNotFound, { status: 200 })
}

function notListed(): Error {
  return refusal(persistedQueryOnly)
}

/** A GraphQL error, because the library accepts no other error before a document runs. */
function refusal(
  { terms, example }: DefinedError,
  { message = example, status = 400 }: { message?: string; status?: number } = {},
): Error {
  return createGraphQLError(message, { extensions: { code: terms.code, http: { status } } })
}
