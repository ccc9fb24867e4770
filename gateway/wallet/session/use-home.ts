import { useQuery } from 'urql'
import type { HomeAnswer } from './answers.ts'
import { HOME } from './documents.ts'
import { useSession } from './session.ts'

/** What the account has and did; the events of `Shell` keep it fresh. */
export function useHome() {
  const { client } = useSession()
  const [{ data, error, fetching, stale }, read] = useQuery<HomeAnswer>({
    query: HOME,
    variables: { accountId: client.accountId },
    requestPolicy: 'cache-and-network',
  })
  return { account: data?.account ?? null, error, isLoading: fetching || stale, read }
}
