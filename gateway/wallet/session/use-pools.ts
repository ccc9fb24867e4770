import { useQuery } from 'urql'
import { findChain } from '../read-settings.ts'
import type { NoteEntry, PoolEntry, PoolNotesAnswer, PoolsAnswer } from './answers.ts'
import { POOL_NOTES, POOLS } from './documents.ts'
import { useSession } from './session.ts'

/** Pools whose Entrypoint came with the page; undefined while they are read. */
export function usePools(): readonly PoolEntry[] | undefined {
  const [{ data }] = useQuery<PoolsAnswer>({ query: POOLS })
  return data && (data.supportedPools ?? []).filter(({ chainId }) => findChain(chainId)?.entrypoint)
}

/** The account's deposits in a pool; the events of `Shell` keep them fresh. */
export function useNotes({ chainId, token }: PoolEntry): readonly NoteEntry[] | undefined {
  const { client } = useSession()
  const [{ data }] = useQuery<PoolNotesAnswer>({
    query: POOL_NOTES,
    variables: { accountId: client.accountId, chainId, token },
    requestPolicy: 'cache-and-network',
  })
  return data && (data.account?.commitments?.nodes ?? [])
}
