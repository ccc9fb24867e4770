import type { DatabasePool } from 'slonik'
import { getAddress } from 'viem'
import { sql } from '../../db/connect-database.ts'
import { openNewClient, type Client } from '../../schema/client/account/open-client.ts'
import { runConcurrently } from '../../test/harness/relay-requests.ts'
import type { UnratedRow } from '../measure/row.ts'
import { summarize, takeSample, type ReadCpu, type Sample } from '../measure/take-sample.ts'
import { openHttpClient } from '../service/open-http-client.ts'
import type { Settings } from '../settings.ts'
import { startHonoPeer } from './start-hono-peer.ts'

/** Public requests of one sample: shorter ones are lost in PostgreSQL's clock, which counts hundredths of a second. */
const REQUESTS = 600
const AT_ONCE = 8
const CONTACTS = 50
/** Each may read sixty times a minute. */
const ACCOUNTS = 20
const OF_ACCOUNT = 8

const QUERY = `query ($chainId: SafeInt!, $assetAddress: Address!) {
  relayerDetails(chainId: $chainId, assetAddress: $assetAddress) {
    feeBPS feeReceiverAddress chainId assetAddress minWithdrawAmount maxGasPrice
  }
}`

/** The same answer by REST and by GraphQL, and an address book as one would write it with hono. */
export async function benchDoors(
  settings: Settings,
  service: {
    url: string
    databaseUrl: string
    chainId: number
    asset: string
    readCpu(): Promise<number>
    readPostgresCpu: ReadCpu
  },
  database: DatabasePool,
): Promise<UnratedRow[]> {
  const { url, chainId, asset, readCpu } = service
  const samples = new Map<string, Sample[]>()
  const add = (name: string, sample: Sample) => samples.set(name, [...(samples.get(name) ?? []), sample])
  const client = openHttpClient(url)
  const search = new URLSearchParams({ chainId: String(chainId), assetAddress: asset })
  const query = JSON.stringify({ query: QUERY, variables: { chainId, assetAddress: asset } })
  const peer = await startHonoPeer({
    databaseUrl: service.databaseUrl,
    keysUrl: `${url}/.well-known/jwks.json`,
  })
  const ofPeer = async () => (await peer.readCpu()) + Number(await service.readPostgresCpu())
  const accounts: Client[] = []
  for (let account = 0; account < ACCOUNTS; account += 1) {
    // Sign-ins are limited by address, so each account has its own behind the proxy.
    const headers = { 'x-forwarded-for': `10.0.0.${1 + account}` }
    const opened = await openNewClient({ url, headers })
    await fillAddressBook(database, opened.accountId)
    accounts.push(opened)
  }
  const readBooks = (base: string) => async () => {
    for (const { accountId, token } of accounts)
      for (let request = 0; request < OF_ACCOUNT; request += 1) {
        const answer = await fetch(`${base}/v1/accounts/${accountId}/address-book`, {
          headers: { authorization: `Bearer ${token}` },
        })
        const { entries } = (await answer.json()) as { entries: unknown[] }
        if (entries.length !== CONTACTS) throw new Error(`the address book has ${entries.length} entries`)
      }
  }
  const many = (ask: () => Promise<{ status: number; body: string }>) => () =>
    runConcurrently(Array.from({ length: REQUESTS }), AT_ONCE, async () => {
      const { status, body } = await ask()
      if (status !== 200 || body.startsWith('{"errors"')) throw new Error(`${status} ${body}`)
    })
  const byRest = many(() => client.get(`/relayer/details?${search}`))
  const byGraph = many(() => client.post('/graphql', query))
  try {
    for (let round = -1; round < settings.rounds; round += 1) {
      const books = ACCOUNTS * OF_ACCOUNT
      const taken = [
        ['reads.detailsByRest', await takeSample(readCpu, REQUESTS, byRest)],
        ['reads.detailsByGraphql', await takeSample(readCpu, REQUESTS, byGraph)],
        // Half a minute's share of each account, with the warm-up.
        ...(round < 3
          ? ([
              ['reads.addressBook', await takeSample(readCpu, books, readBooks(url))],
              ['reads.addressBookByHono', await takeSample(ofPeer, books, readBooks(peer.url))],
            ] as const)
          : []),
      ] as const
      // The first round warms up.
      if (round >= 0) for (const [name, sample] of taken) add(name, sample)
    }
  } finally {
    client.close()
    peer.stop()
  }
  const baselines: Record<string, string> = {
    'reads.detailsByGraphql': 'reads.detailsByRest',
    'reads.addressBook': 'reads.addressBookByHono',
  }
  return [...samples].map(([name, rounds]) => ({
    ...summarize({ name, baseline: baselines[name] ?? null, compared: 'cpu' }, rounds),
    note: NOTES[name] ?? '',
  }))
}

const NOTES: Readonly<Record<string, string>> = {
  'reads.addressBook': `${CONTACTS} contacts; PostgreSQL included, and what the service does beside`,
  'reads.addressBookByHono':
    'hono and pg over the same tables: token verified, account and its minute checked, two statements; PostgreSQL included',
  'reads.detailsByGraphql': 'the same answer as by REST; PostgreSQL included',
}

async function fillAddressBook(database: DatabasePool, accountId: string): Promise<void> {
  const addresses = Array.from({ length: CONTACTS }, (_, place) =>
    getAddress(`0x${(0xc0 + place).toString(16).padStart(40, '0')}`),
  )
  await database.query(sql.typeAlias('void')`insert into address_book (account_id) values (${accountId})`)
  await database.query(sql.typeAlias('void')`
    insert into contact (account_id, address, name, signed_at)
    select ${accountId}::uuid, address, 'Contact ' || place, now()
    from unnest(${sql.array(addresses, 'text')}) with ordinality as given (address, place)`)
}
