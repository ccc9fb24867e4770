import type { DatabasePool } from 'slonik'
import { sql } from '../../db/connect-database.ts'
import { openNewClient } from '../../schema/client/account/open-client.ts'
import { subscribe } from '../../test/harness/subscribe.ts'
import { tokenAddress } from '../holdings/fill-database.ts'
import { analyzeWallets, fillWallet } from '../holdings/fill-wallet.ts'
import { measureInterleaved } from '../measure/measure-interleaved.ts'
import type { UnratedRow } from '../measure/row.ts'
import type { ReadCpu } from '../measure/take-sample.ts'
import type { Settings } from '../settings.ts'

const ADDRESSES = 50
/** Accounts, since each may read sixty times a minute. */
const ACCOUNTS = 30

const ENTRY = 'id kind state date amount to token { id symbol decimals } chain { id name }'
const HOME = `{ viewer { id account { id
  balances(first: 50) { totalUsdAmount edges { node { id available pending token { id symbol decimals } chain { id name } } } }
  pendingActivities { ${ENTRY} }
  activities(first: 20) { edges { node { ${ENTRY} } } pageInfo { hasNextPage endCursor } }
  contacts(first: 20) { edges { node { id name } } }
} } }`
/** The same screen by REST. */
const PATHS = ['balance', 'activities/pending', 'activities?limit=20', 'address-book']

const EVENTS = 'subscription { accountEvents { __typename cursor } }'

/** A wallet's home screen by one query and by four requests, and a stream that resumes after a disconnect. */
export async function benchHome(
  settings: Settings,
  service: { url: string; chainId: number; readCpu: ReadCpu },
  database: DatabasePool,
): Promise<UnratedRow[]> {
  const { url, chainId, readCpu } = service
  const clients = await Promise.all(
    Array.from({ length: ACCOUNTS }, async (_, place) => {
      const client = await openNewClient({ url, headers: { 'x-forwarded-for': `10.0.2.${1 + place}` } })
      const { accountId } = client
      const tokens = [tokenAddress(0)]
      await fillWallet(database, { chainId, accountId, addresses: ADDRESSES, tokens, funded: ADDRESSES })
      return { ...client, cursor: '' }
    }),
  )
  await analyzeWallets(database)
  for (const client of clients) client.cursor = await missAnEvent(client)

  let asked = 0
  const ask = (work: (client: (typeof clients)[number]) => Promise<unknown>) => async () => {
    asked += 1
    const client = clients[asked % ACCOUNTS]
    if (client) await work(client)
  }
  const rows = await measureInterleaved(
    [
      {
        name: 'reads.homeByRest',
        baseline: null,
        run: ask(({ ask: send, accountId }) =>
          Promise.all(PATHS.map((path) => send('GET', `/v1/accounts/${accountId}/${path}`))),
        ),
      },
      {
        name: 'reads.homeByGraphql',
        baseline: 'reads.homeByRest',
        run: ask(async ({ ask: send }) => {
          const { errors } = await send<{ errors?: unknown }>('POST', '/graphql', { query: HOME })
          if (errors) throw new Error(JSON.stringify(errors))
        }),
      },
      {
        name: 'reads.resume',
        baseline: null,
        run: ask(async ({ token, cursor }) => {
          const stream = await subscribe(url, EVENTS, token, 'POST', cursor)
          if (!(await stream.next())?.['data']) throw new Error('nothing was missed')
          stream.leave()
        }),
      },
    ],
    { ...settings, roundMs: Math.min(settings.roundMs, 1_000) },
    readCpu,
  )
  const notes: Record<string, string> = {
    'reads.homeByRest': `four requests of an account with ${ADDRESSES} funded addresses, PostgreSQL included`,
    'reads.homeByGraphql': 'the same as one query; peer: those requests',
    'reads.resume': 'a stream from its cursor to the one event that it missed',
  }
  return rows.map((row) => ({ ...row, note: notes[row.name] ?? '' }))

  /** @returns The place before the event. */
  async function missAnEvent({ accountId, token }: (typeof clients)[number]): Promise<string> {
    const stream = await subscribe(url, EVENTS, token)
    await stream.next()
    stream.leave()
    await database.query(sql.typeAlias('void')`
      insert into account_event (account_id, kind, subject) values (${accountId}::uuid, 'review', '')`)
    return stream.lastId() ?? ''
  }
}
