import { useEffect } from 'react'
import { useQuery, useSubscription } from 'urql'
import type { HomeAnswer } from './answers.ts'
import { ACTIVITY_ADDED, BALANCE_CHANGED, HOME } from './documents.ts'
import { useSession } from './session.ts'

/** Pending payments change without an event; they are read again after so long. */
const PENDING_MS = 4_000

/** What the account has and did, kept fresh by the service's events. */
export function useHome() {
  const { client } = useSession()
  const variables = { accountId: client.accountId }
  const [{ data, error, fetching, stale }, read] = useQuery<HomeAnswer>({
    query: HOME,
    variables,
    requestPolicy: 'cache-and-network',
  })
  useSubscription({ query: BALANCE_CHANGED, variables })
  useSubscription({ query: ACTIVITY_ADDED, variables })
  const pending = data?.account?.pendingActivities ?? []
  const isMoving = pending.some(({ state }) => state === 'in_flight')
  useEffect(() => {
    if (!isMoving) return undefined
    const timer = setInterval(() => read({ requestPolicy: 'network-only' }), PENDING_MS)
    return () => clearInterval(timer)
  }, [isMoving, read])
  return { account: data?.account ?? null, error, isLoading: fetching || stale, read }
}
