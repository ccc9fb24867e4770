import { createHash } from 'node:crypto'
import { createGraphQLError, type Plugin } from 'graphql-yoga'
import { z } from 'zod'
import { keepNewest } from './keep-newest.ts'

/** Texts that clients have sent with their hash are kept up to this number, and this length each. */
const MOST_KEPT = 500
const LONGEST_KEPT = 16_000

const persistedQuery = z.object({ version: z.literal(1), sha256Hash: z.string().min(1).max(200) })

export interface PersistedOptions {
  /** Documents of the operator's, by the hash that clients name them with. */
  listed: ReadonlyMap<string, string>
  /** Nothing else is run. */
  onlyListed: boolean
}

/**
 * Documents named by their hash in `extensions.persistedQuery`: those that the operator lists, and unless only those are
 * allowed, those that a client has sent along with their SHA-256 before (automatic persisted queries).
 */
export function persistedDocuments({ listed, onlyListed }: PersistedOptions): Plugin {
  const kept = keepNewest<string>(MOST_KEPT)

  function documentOf(hash: string, query: string | undefined): string {
    const known = listed.get(hash)
    if (known !== undefined) return known
    if (onlyListed) throw notListed()
    if (query === undefined) return kept.get(hash) ?? notFound()
    if (createHash('sha256').update(query).digest('hex') !== hash)
      throw refusal('The query does not have that sha256Hash', 'PERSISTED_QUERY_MISMATCH')
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
        throw refusal('extensions.persistedQuery: expected version 1 and sha256Hash', 'BAD_REQUEST')
      setParams({ ...params, query: documentOf(data.sha256Hash, params.query ?? undefined) })
    },
  }
}

/** The words that clients know; they then send the document along. */
function notFound(): never {
  throw refusal('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND', 200)
}

function notListed(): Error {
  return refusal('This service runs listed documents only', 'PERSISTED_QUERY_ONLY')
}

function refusal(message: string, code: string, status = 400): Error {
  return createGraphQLError(message, { extensions: { code, http: { status } } })
}
