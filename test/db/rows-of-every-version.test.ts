import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { DatabasePool } from 'slonik'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNT_TABLES } from '../../db/account-tables.ts'
import { listContacts } from '../../db/account/address-book/contacts.ts'
import { listDappUses } from '../../db/account/addresses/dapp-uses.ts'
import { countStealthAddresses, listStealthAddresses } from '../../db/account/addresses/stealth-addresses.ts'
import { sumPoolDeposits } from '../../db/account/balances/pool-deposits.ts'
import { listAddressHoldings, sumHoldings } from '../../db/account/balances/address-holdings.ts'
import { readAccountRows } from '../../db/account/erasure/account-rows.ts'
import { findActiveWaiver } from '../../db/account/fee-waivers/fee-waivers.ts'
import { listNotes } from '../../db/account/notes/activity-notes.ts'
import { listTags } from '../../db/account/notes/address-tags.ts'
import { findKeysOfAccount, findProfile } from '../../db/account/profile/accounts.ts'
import { findContactEmail } from '../../db/account/profile/contact-emails.ts'
import { findAttribution, summarizeReferrals } from '../../db/account/referrals/referral-attributions.ts'
import { findReferrerByCode } from '../../db/account/referrals/referral-profiles.ts'
import { findSubdomain } from '../../db/account/subdomains/subdomains.ts'
import { listAccountTransactions } from '../../db/activity/account-activity.ts'
import { listUnfinished } from '../../db/chain/broadcast/outbound-watch.ts'
import { readNextTxNonces } from '../../db/chain/broadcast/signer-leases.ts'
import { readIndexedChains } from '../../db/chain/indexer/indexed-chains.ts'
import { readIndexedTxs } from '../../db/chain/indexer/read-activity.ts'
import { readPoolEventsOf } from '../../db/chain/indexer/read-pool-events.ts'
import { connectDatabase } from '../../db/connect-database.ts'
import { findAnswer } from '../../db/idempotency/idempotency-keys.ts'
import { listApiKeys } from '../../db/identity/api-keys.ts'
import { readStanding } from '../../db/identity/expiring-rows.ts'
import { listServerKeys } from '../../db/identity/server-keys.ts'
import { listAccountFeatures, listAccountTokens } from '../../db/market/tokens/account-tokens.ts'
import { listPrices } from '../../db/market/prices/token-prices.ts'
import { migrateDatabase } from '../../db/migrate.ts'
import { sumLedger } from '../../db/pool/relay/relay-ledger.ts'
import { findRelayRequest, findRequestByNullifier } from '../../db/pool/relay/relay-requests.ts'
import { readFillTimeMs } from '../../db/transact/bridge-orders.ts'
import { listIntentStates } from '../../db/transact/intents-end.ts'
import { findQuote } from '../../db/transact/quotes.ts'
import { listReservations } from '../../db/transact/reservations.ts'
import { readTransfers } from '../harness/read-facts.ts'
import { openEmptyDatabase } from '../harness/open-test-database.ts'
import { writeSampleRow } from '../harness/write-sample-row.ts'
import { addressOf, BASELINE, hashOf, idOf, rowsOfVersion, TOKEN, WRITTEN_AT } from './rows-of-version.ts'

const DATABASE = join(import.meta.dirname, '../../db')
const migrations = (await readdir(join(DATABASE, 'migrations')))
  .filter((name) => name.endsWith('.sql'))
  .toSorted()
const versions = [BASELINE, ...migrations.map((name) => BASELINE + Number(name.slice(0, 4)))]

let database: Awaited<ReturnType<typeof openEmptyDatabase>>
let directory: string
let pool: DatabasePool
/** The tables that each version wrote about its account. */
const written = new Map<number, readonly string[]>()

/** The tables that `rowsOfVersion` writes, some of them from a later version on. */
const byHand = new Set(
  [...rowsOfVersion(Number.MAX_SAFE_INTEGER).matchAll(/insert into (\w+)/g)].map(([, table]) => table),
)

/** Writes the tables with an account that `rowsOfVersion` leaves out. @returns The tables with rows of the account. */
async function writeOtherRows(client: pg.Client, version: number): Promise<string[]> {
  const owner = { accountId: idOf('account', version), address: addressOf(version) }
  const { rows: tables } = await client.query<{ name: string }>(`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'account_id' order by 1`)
  const filled: string[] = []
  for (const { name } of tables) {
    const mine = `select from ${name} where account_id = '${owner.accountId}' limit 1`
    const isWritten = (await client.query(mine)).rowCount === 1
    if (!isWritten && !byHand.has(name)) await writeSampleRow(client, name, owner)
    if (isWritten || !byHand.has(name)) filled.push(name)
  }
  return filled
}

/** The files of functions that need nothing of these migrations: no table of theirs, and no function that needs one. */
async function listEarlierFunctions(later: readonly string[]): Promise<string[]> {
  const folder = join(DATABASE, 'functions')
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.sql'))
  const texts = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  )
  const made = await Promise.all(later.map((name) => readFile(join(DATABASE, 'migrations', name), 'utf8')))
  const missing = new Set(made.flatMap((text) => text.match(/(?<=^create table )\w+/gm) ?? []))
  for (let before = -1; before !== texts.size;) {
    before = texts.size
    for (const [file, text] of texts) {
      if (!text.match(/\w+/g)?.some((word) => missing.has(word))) continue
      texts.delete(file)
      for (const name of text.match(/(?<=^create or replace function )\w+/gm) ?? []) missing.add(name)
    }
  }
  return [...texts.keys()]
}

/** Every version migrates and writes its rows before the next one comes; the last one is today's. */
beforeAll(async () => {
  database = await openEmptyDatabase()
  directory = await mkdtemp(join(tmpdir(), 'test-versions-'))
  await mkdir(join(directory, 'migrations'))
  await cp(join(DATABASE, 'schema'), join(directory, 'schema'), { recursive: true })
  for (const [index, version] of versions.entries()) {
    const file = migrations[index - 1]
    if (file) await cp(join(DATABASE, 'migrations', file), join(directory, 'migrations', file))
    for (const name of await listEarlierFunctions(migrations.slice(index)))
      await cp(join(DATABASE, 'functions', name), join(directory, 'functions', name))
    await migrateDatabase(database.url, directory)
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    try {
      await client.query(rowsOfVersion(version))
      written.set(version, await writeOtherRows(client, version))
    } finally {
      await client.end()
    }
  }
  pool = await connectDatabase(database.url)
})
afterAll(async () => {
  await pool?.end()
  await database?.drop()
  await rm(directory, { recursive: true })
})

const writtenAt = new Date(WRITTEN_AT)
const bytes = (version: number, length = 4) => Buffer.from(String(version).padStart(length * 2, '0'), 'hex')

describe('rows that each version wrote are read as they were written, after all later migrations:', () => {
  it.each(versions)('a transaction under way and its signer, of version %i', async (v) => {
    expect(await readNextTxNonces(pool, v)).toEqual(new Map([[addressOf(v, 'd'), v]]))
    expect(await listUnfinished(pool, v, crypto.randomUUID())).toMatchObject([
      { id: idOf('outbound', v), txNonce: v, pointless: null, needsEmptyForm: false },
    ])
  })

  it.each(versions)('a relay request and its place in the ledger, of version %i', async (v) => {
    const request = await findRelayRequest(pool, idOf('request', v))
    expect(request).toMatchObject({ id: idOf('request', v), status: 'confirmed', txHash: hashOf(v) })
    expect(await findRequestByNullifier(pool, BigInt(v))).toEqual(request)
    expect((await sumLedger(pool)).find(({ chainId }) => chainId === v)).toMatchObject({
      asset: TOKEN,
      withdrawn: BigInt(v),
      feeReceived: 3n,
      gasSpent: 2n,
      topUpSpent: 1n,
    })
  })

  it.each(versions)('every table with an account, by the export of an account of version %i', async (v) => {
    const exported = await readAccountRows(pool, idOf('account', v), ACCOUNT_TABLES)
    expect(written.get(v)?.filter((table) => !exported[table])).toEqual([])
  })

  it.each(versions)('an account, its keys and its address, of version %i', async (v) => {
    const accountId = idOf('account', v)
    expect(await findKeysOfAccount(pool, accountId)).toEqual({ bytes: bytes(v), masterKeyId: 'master' })
    expect(await findProfile(pool, accountId)).toEqual({
      id: accountId,
      authAddress: addressOf(v, 'b'),
      encryptedCustomEnsName: null,
      createdAt: writtenAt,
      nextDerivationNonce: v,
      dismissedPrompts: [`prompt ${v}`],
      hasPoolDeposits: true,
    })
    expect(await countStealthAddresses(pool, accountId)).toBe(1)
    expect(await listStealthAddresses(pool, accountId, { after: null, limit: 9 })).toEqual([
      { address: addressOf(v), derivationNonce: 0, generationContext: 'external', createdAt: writtenAt },
    ])
  })

  it.each(versions)('keys of the service, API keys and revoked tokens, of version %i', async (v) => {
    const keys = await listServerKeys(pool, 'token', 3_600)
    expect(keys.find(({ id }) => id === `key ${v}`)).toMatchObject({
      sealedKey: bytes(v),
      masterKeyId: 'master',
    })
    expect(await listApiKeys(pool, idOf('account', v))).toMatchObject([
      { id: `api ${v}`, label: `label ${v}`, scopes: ['read'], createdAt: writtenAt, hasSeal: false },
    ])
    const token = { tokenId: `token ${v}`, authAddress: addressOf(v, 'b') }
    expect(await readStanding(pool, token)).toMatchObject({ accountId: idOf('account', v), revoked: true })
  })

  it.each(versions)('an e-mail address and apps, of version %i', async (v) => {
    expect(await findContactEmail(pool, idOf('account', v))).toEqual({
      bytes: bytes(v),
      masterKeyId: 'master',
    })
    expect(await listDappUses(pool, idOf('account', v), { limit: 9, offset: 0 })).toMatchObject([
      { address: addressOf(v), origin: `https://${v}.example` },
    ])
  })

  it.each(versions)('the answer to a request with an Idempotency-Key, of version %i', async (v) => {
    const scope = { accountId: idOf('account', v), operation: 'issueAddress', keyHash: bytes(v, 32) }
    expect(await findAnswer(pool, scope)).toMatchObject({ inputHash: bytes(v, 32), answer: `answer ${v}` })
  })

  it.each(versions)('tokens, features and prices, of version %i', async (v) => {
    expect(await listAccountTokens(pool, idOf('account', v))).toEqual([{ chainId: v, address: TOKEN }])
    expect(await listAccountFeatures(pool, idOf('account', v))).toEqual(new Set([`feature ${v}`]))
    expect(await listPrices(pool, [{ chainId: v, address: TOKEN }])).toEqual([
      { chainId: v, address: TOKEN, usd: BigInt(v), observedAt: writtenAt },
    ])
  })

  it.each(versions)('what was indexed, of version %i', async (v) => {
    const name = { chainId: v, txHash: hashOf(v) }
    expect((await readIndexedChains(pool)).find(({ chainId }) => chainId === v)).toMatchObject({
      blockNumber: BigInt(v),
      blockHash: hashOf(v),
      state: 'live',
    })
    expect(await readTransfers(pool, [addressOf(v)], 9)).toMatchObject([
      { ...name, token: TOKEN, amount: BigInt(v) },
    ])
    expect(await readIndexedTxs(pool, [name])).toMatchObject([
      { ...name, fee: BigInt(v), blockTime: writtenAt },
    ])
    expect(await listAccountTransactions(pool, idOf('account', v), { after: null, limit: 9 })).toMatchObject([
      name,
    ])
    expect(await readPoolEventsOf(pool, [name])).toMatchObject([
      { kind: 'pool-registered', pool: addressOf(v, 'e') },
      { kind: 'deposit', account: addressOf(v), value: BigInt(v), label: BigInt(v) },
    ])
  })

  it.each(versions)('balances, locked funds and deposits, of version %i', async (v) => {
    const locked = BigInt(v)
    const sum = { chainId: v, token: TOKEN, free: BigInt(v + 1_000) - locked, locked }
    expect(await sumHoldings(pool, idOf('account', v))).toMatchObject([sum])
    expect(await listAddressHoldings(pool, [addressOf(v)])).toMatchObject([{ ...sum, address: addressOf(v) }])
    expect(await sumPoolDeposits(pool, idOf('account', v))).toEqual([
      { chainId: v, asset: TOKEN, pendingApproval: 0n, approved: BigInt(v), declined: 0n },
    ])
  })

  it.each(versions)('a name, referrals, contacts, notes, tags and a waiver, of version %i', async (v) => {
    const accountId = idOf('account', v)
    expect(await findSubdomain(pool, accountId)).toBe(`name-${v}`)
    expect(await findReferrerByCode(pool, `CODE${v}`)).toEqual({ code: `CODE${v}`, name: `name-${v}` })
    expect(await findAttribution(pool, idOf('friend', v))).toMatchObject({
      id: idOf('attribution', v),
      referrerName: `name-${v}`,
      referrerShareBps: v,
      status: 'active',
    })
    expect(await summarizeReferrals(pool, accountId)).toMatchObject({ totalReferrals: 1, activeReferrals: 1 })
    expect(await listContacts(pool, accountId)).toMatchObject([
      { address: addressOf(v, 'e'), name: `contact ${v}` },
    ])
    expect(await listNotes(pool, accountId, { after: null, limit: 9 })).toMatchObject([
      { type: 'quote', quoteId: idOf('quote', v), ciphertext: `note ${v}` },
    ])
    expect(await listTags(pool, accountId)).toMatchObject([{ address: addressOf(v), ciphertext: `tag ${v}` }])
    expect(await findActiveWaiver(pool, accountId, [])).toMatchObject({ source: 'collectible' })
  })

  it.each(versions)('a submitted quote and its reservation, of version %i', async (v) => {
    expect(await findQuote(pool, idOf('account', v), idOf('quote', v))).toMatchObject({
      status: 'submitted',
      amount: BigInt(v),
      recipient: addressOf(v, 'e'),
      terms: { version: v },
      kind: 'send',
      asked: { maxSend: false, recipient: null, details: {} },
      networkFee: 2n,
      serviceFee: 1n,
    })
    expect(await listReservations(pool, idOf('quote', v))).toMatchObject([
      { chainId: v, address: addressOf(v), token: TOKEN, amount: BigInt(v) },
    ])
  })

  it.each(versions)('an intent, of version %i', async (v) => {
    expect(await listIntentStates(pool, [idOf('quote', v)])).toEqual([
      { quoteId: idOf('quote', v), place: 0, status: 'queued', error: null },
    ])
  })
  it.each(versions)('an order over a bridge, of version %i', async (v) => {
    const route = { originChainId: v, destinationChainId: v + 1, inputToken: TOKEN }
    expect(await readFillTimeMs(pool, route)).toBe(v)
  })
})
