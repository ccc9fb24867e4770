import { useQuery } from 'urql'
import type { HomeAnswer } from './answers.ts'
import { HOME } from './documents.ts'
import { useSession } from './session.ts'

/** Balances and activity of the account; the events of `Shell` keep them fresh. */
export function useHome() {
  const { client } = useSession()
  const [{ data, error, fetching, stale }, read] = useQuery<HomeAnswer>({
    query: HOME,
    variables: { accountId: client.accountId },
    requestPolicy: 'cache-and-network',
  })
  return { account: data?.account ?? null, error, isLoading: fetching || stale, read }
}
