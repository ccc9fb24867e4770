import { cacheExchange, type Cache, type Entity } from '@urql/exchange-graphcache'
import type { Client } from 'stealth-relay/client'
import { createClient, fetchExchange, subscriptionExchange, type Client as Graph } from 'urql'

const LISTS = ['activities', 'pendingActivities']
const MONEY = ['balances', 'commitments', 'review', 'depositReviewSummary']
/** Fields of the account that an event makes outdated, beside what it carries. */
const OUTDATED: Readonly<Record<string, readonly string[]>> = {
  BalanceChanged: MONEY,
  ActivityChanged: [...LISTS, 'commitments'],
  ActivityRemoved: LISTS,
  QuoteChanged: [...LISTS, ...MONEY],
  RelayProgress: LISTS,
  DepositReviewed: MONEY,
  ResyncRequired: [...LISTS, ...MONEY],
}

/** A screen that changes all the time shows what it has after so many questions. */
const MOST_QUESTIONS = 5

/** Creates the client of the screens: GraphQL with a normalized cache, over the session of the client package. */
export function createGraph(client: Client): Graph {
  let events = 0

  /** Asks again where an event came before the answer, which may be older. urql asks no second time meanwhile. */
  async function ask(text: string): Promise<Response> {
    for (let questions = 1; ; questions += 1) {
      const before = events
      const answer = await post(client, text)
      if (events === before || questions === MOST_QUESTIONS) return answer
    }
  }

  return createClient({
    url: '/graphql',
    preferGetMethod: false,
    exchanges: [
      cacheExchange({
        updates: {
          Subscription: {
            accountEvents: ({ accountEvents: event }, _, cache) => {
              const { __typename: type = '' } = event as { __typename?: string }
              events += 1
              outdate(cache, client.accountId, OUTDATED[type] ?? [])
            },
          },
        },
      }),
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe(sink) {
            const ending = new AbortController()
            void follow(client, { query, variables }, ending.signal, sink)
            return { unsubscribe: () => ending.abort() }
          },
        }),
      }),
    ],
    fetch: (_, init) => ask(init?.body as string),
  })
}

interface Sink {
  next(result: { data: Record<string, unknown> }): void
  error(error: unknown): void
  complete(): void
}

/** The client package connects a cut stream again, and renews the token. */
async function follow(
  client: Client,
  { query, variables }: { query: string; variables: unknown },
  signal: AbortSignal,
  sink: Sink,
): Promise<void> {
  try {
    const events = client.follow<Record<string, unknown>>(
      query,
      (variables ?? {}) as Record<string, unknown>,
      signal,
    )
    for await (const data of events) sink.next({ data })
    sink.complete()
  } catch (error) {
    if (!signal.aborted) sink.error(error)
  }
}

/** Screens that show these fields read them again. */
function outdate(cache: Cache, accountId: string, fields: readonly string[]): void {
  const account = cache.resolve('Query', 'account', { accountId }) as Entity
  for (const { fieldName, arguments: given } of cache.inspectFields(account))
    if (fields.includes(fieldName)) cache.invalidate(account, fieldName, given ?? undefined)
}

interface Answer {
  errors?: readonly { extensions?: { code?: string } }[]
}

/** The token of the session; one that has ended is renewed by a request of the client package. */
async function post(client: Client, text: string): Promise<Response> {
  const body = JSON.parse(text) as unknown
  const send = () => client.ask<Answer>('POST', '/graphql', body)
  let answer = await send()
  if (answer.errors?.some(({ extensions }) => extensions?.code === 'UNAUTHORIZED')) {
    await client.call('account', {})
    answer = await send()
  }
  return new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } })
}
