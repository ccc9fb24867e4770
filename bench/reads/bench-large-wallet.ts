import type { DatabasePool } from 'slonik'
import { sql } from '../../db/connect-database.ts'
import { openNewClient, type Client } from '../../schema/client/account/open-client.ts'
import { tokenAddress } from '../holdings/fill-database.ts'
import { analyzeWallets, fillWallet, POOL } from '../holdings/fill-wallet.ts'
import type { UnratedRow } from '../measure/row.ts'
import { summarize, takeSample, type ReadCpu, type Sample } from '../measure/take-sample.ts'
import type { Settings } from '../settings.ts'

const ADDRESSES = 500
const TOKENS = 3
/** Several, since each may read sixty times a minute. */
const ACCOUNTS = 3
/** Reads before anything is measured, and in one sample of polls; one of each account is measured after a change. */
const WARM_UP = 30
const REQUESTS = 18

/** The largest page of the history. */
const PAGE = 500

interface Read {
  path: string
  body?: object
}

/** Reads that a wallet repeats. */
const POLLS: Record<string, Read> = {
  fundedAddresses: { path: '/funded-addresses' },
  addressBalances: { path: '/address-balances' },
  activities50: { path: '/activities?limit=50' },
}

/** The dearest read of a history. Its results fill the caches, so it is measured after the polls. */
const SEARCHES: Record<string, Read> = {
  search500: {
    path: '/activities/search',
    body: { address: POOL, pagination: { limit: PAGE }, include: { summary: true } },
  },
}

/**
 * A wallet's reads of an account with five hundred addresses, each of which was paid three tokens with a price and holds
 * them. Both lists of addresses are returned whole, as the contract has it.
 */
export async function benchLargeWallet(
  settings: Settings,
  service: { url: string; chainId: number; readCpu: ReadCpu },
  database: DatabasePool,
): Promise<UnratedRow[]> {
  const { url, chainId, readCpu } = service
  const tokens = Array.from({ length: TOKENS }, (_, place) => tokenAddress(place))
  const clients: Client[] = []
  for (let account = 0; account < ACCOUNTS; account += 1) {
    const client = await openNewClient({ url, headers: { 'x-forwarded-for': `10.0.1.${1 + account}` } })
    const { accountId } = client
    await fillWallet(database, { chainId, accountId, addresses: ADDRESSES, tokens, funded: ADDRESSES })
    await payOtherTokens(database, accountId, tokens.slice(1))
    clients.push(client)
  }
  await analyzeWallets(database)

  const samples = new Map<string, Sample[]>()
  const ask = (read: Read, requests: number) => async () => {
    for (let request = 0; request < requests; request += 1) {
      const client = clients[request % ACCOUNTS]
      await client?.ask(read.body ? 'POST' : 'GET', `/v1/accounts/${client.accountId}${read.path}`, read.body)
    }
  }
  async function measureReads(reads: Record<string, Read>): Promise<[string, Sample][]> {
    const taken: [string, Sample][] = []
    // Nothing that another read cached is measured.
    await changeAll()
    for (const read of Object.values(reads)) await ask(read, ACCOUNTS)()
    for (const [name, read] of Object.entries(reads))
      taken.push([name, await takeSample(readCpu, REQUESTS, ask(read, REQUESTS))])
    for (const [name, read] of Object.entries(reads)) {
      await changeAll()
      taken.push([`${name}AfterChange`, await takeSample(readCpu, ACCOUNTS, ask(read, ACCOUNTS))])
    }
    return taken
  }

  for (const read of Object.values({ ...POLLS, ...SEARCHES })) await ask(read, WARM_UP)()
  const changeAll = async () => {
    for (const { accountId } of clients) await changeSomething(database, accountId)
  }

  for (let round = -1; round < settings.rounds; round += 1) {
    const taken = [...(await measureReads(POLLS)), ...(await measureReads(SEARCHES))]
    // The first round warms up.
    if (round >= 0)
      for (const [name, sample] of taken) samples.set(name, [...(samples.get(name) ?? []), sample])
  }
  return [...samples].map(([name, taken]) => ({
    ...summarize({ name: `reads.${name}`, baseline: null, compared: 'cpu' }, taken),
    note:
      `${ADDRESSES} addresses with ${TOKENS} tokens each, PostgreSQL included; peer: none; ` +
      (name.endsWith('AfterChange') ? 'the first after a change of the account' : 'as a wallet polls'),
  }))
}

/** Like a transaction of the indexer: it invalidates all cached data of the account. */
const changeSomething = (database: DatabasePool, accountId: string) =>
  database.query(sql.typeAlias('void')`insert into account_change (account_id) values (${accountId}::uuid)`)

/** Every address was paid the other tokens by the transaction that paid it the first. */
async function payOtherTokens(
  database: DatabasePool,
  accountId: string,
  tokens: readonly string[],
): Promise<void> {
  await database.query(sql.typeAlias('void')`
    insert into transfer (chain_id, block_hash, source, position, block_number, block_time, tx_hash, standard, token,
      from_address, to_address, amount)
    select chain_id, block_hash, source, position + place, block_number, block_time, tx_hash, standard, other,
      from_address, to_address, amount
    from transfer join stealth_address on address = to_address
      cross join unnest(${sql.array([...tokens], 'text')}) with ordinality as others (other, place)
    where account_id = ${accountId}::uuid and position = 0`)
}
