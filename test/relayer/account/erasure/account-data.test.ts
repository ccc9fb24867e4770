import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { ACCOUNT_TABLES } from '../../../../db/account-tables.ts'
import { summarizeReferrals } from '../../../../db/account/referrals/referral-attributions.ts'
import { findHindrance, findSubdomain } from '../../../../db/account/subdomains/subdomains.ts'
import { exportAccount, deleteAccount } from '../../../../relayer/account/erasure/account-data.ts'
import { createVault } from '../../../../relayer/identity/create-vault.ts'
import { createKeyWrapper } from '../../../../relayer/identity/key-wrapper.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { writeSampleRow } from '../../../harness/write-sample-row.ts'
import { seedWholeAccount, seedReferral, type SeededAccount } from './seed-whole-account.ts'

const vault = createVault([createKeyWrapper(randomBytes(32))])
let database: TestDatabase
let leaver: SeededAccount
let neighbour: SeededAccount
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  neighbour = await seedWholeAccount(database.pool, vault)
  leaver = await seedWholeAccount(database.pool, vault, neighbour.addresses[1])
  await seedReferral(
    database.pool,
    leaver.accountId,
    (await seedWholeAccount(database.pool, vault)).accountId,
  )
  await seedReferral(database.pool, neighbour.accountId, leaver.accountId)
  for (const account of [neighbour, leaver]) await fillEmptyTables(account)
})

/** Writes a row into each table of accounts that `seedWholeAccount` does not know. */
async function fillEmptyTables({ accountId, addresses: [, address = ''] }: SeededAccount): Promise<void> {
  const counts = Object.entries(await countOwn(accountId))
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    for (const [table, rows] of counts)
      if (rows === 0) await writeSampleRow(client, table, { accountId, address })
  } finally {
    await client.end()
  }
}

const names = async (statement: Parameters<TestDatabase['pool']['any']>[0]) =>
  ((await database.pool.any(statement)) as readonly { name: string }[]).map(({ name }) => name)
const nameRow = z.object({ name: z.string() })
const listTables = () =>
  names(sql.type(nameRow)`
    select table_name::text as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`)

/** Tables that contain any of these texts, also as bytes. */
async function findTraces(texts: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const table of await listTables()) {
    const { traces } = await database.pool.one(sql.type(z.object({ traces: z.int() }))`
      select count(*)::int4 as traces from ${sql.identifier([table])} as searched
      where searched::text ilike any(${sql.array(
        texts.map((text) => `%${text.replace(/^0x/, '')}%`),
        'text',
      )})`)
    if (traces > 0) found.push(table)
  }
  return found
}

const countOwn = async (accountId: string) => {
  const counts: Record<string, number> = {}
  for (const { table, own } of ACCOUNT_TABLES) {
    if (!own) continue
    const { rows } = await database.pool.one(sql.type(z.object({ rows: z.int() }))`
      select count(*)::int4 as rows from ${sql.identifier([table])} where ${own(accountId)}`)
    counts[table] = rows
  }
  return counts
}

const exportOf = async (accountId: string) =>
  (await exportAccount({ database: database.pool, vault }, accountId))!

describe('deleting an account', () => {
  it('leaves no row of it in its own tables', async () => {
    const before = await countOwn(leaver.accountId)
    const empty = Object.keys(before).filter((table) => before[table] === 0)
    expect(empty, 'give the account a row of these in seed-whole-account.ts').toEqual([])

    expect(await deleteAccount(database.pool, leaver.accountId)).toBe(true)
    expect(await findTraces([leaver.accountId])).toEqual([])
    // The history of the pools is public; payments to the neighbour belong to the neighbour as well.
    expect((await findTraces(leaver.addresses)).sort()).toEqual(['indexed_tx', 'pool_event', 'transfer'])
    expect(await findTraces([leaver.addresses[0]!, leaver.addresses[1]!])).toEqual(['pool_event'])
    expect(await deleteAccount(database.pool, leaver.accountId)).toBe(false)
  })

  it('leaves other accounts unchanged', async () => {
    const { exportedAt: _before, ...before } = await exportOf(neighbour.accountId)
    await deleteAccount(database.pool, leaver.accountId)
    const { exportedAt: _after, ...after } = await exportOf(neighbour.accountId)
    expect(after).toEqual(before)
    expect(after.tables['transfer']).toHaveLength(3)
    expect(await summarizeReferrals(database.pool, neighbour.accountId)).toMatchObject({
      totalReferrals: 1,
      activeReferrals: 0,
      earnedUsdMicros: 1_000_000n,
    })
  })

  it('keeps its name reserved', async () => {
    const name = (await findSubdomain(database.pool, leaver.accountId))!
    await deleteAccount(database.pool, leaver.accountId)
    const anybody = { accountId: null, inviteCode: null }
    expect(await findHindrance(database.pool, name, anybody)).toBe('retired')
    expect(await findTraces([name])).toEqual([])
  })

  it('waits for pending quotes', async () => {
    await database.pool.query(sql.typeAlias('void')`
      update quote set status = 'submitted', ended_at = null where account_id = ${leaver.accountId}`)
    await expect(deleteAccount(database.pool, leaver.accountId)).rejects.toMatchObject({ kind: 'conflict' })
    const { tables } = await exportOf(leaver.accountId)
    expect(tables['stealth_address']).toHaveLength(2)
  })

  it('happens once for simultaneous requests', async () => {
    const times = Array.from({ length: 4 }, () => deleteAccount(database.pool, leaver.accountId))
    expect((await Promise.all(times)).filter(Boolean)).toHaveLength(1)
  })
})

describe('exporting an account', () => {
  it('has rows of all tables and no secrets', async () => {
    const exported = await exportOf(leaver.accountId)
    expect(exported.contactEmail).toBe(`${leaver.accountId}@example.org`)
    const own = ACCOUNT_TABLES.filter((table) => table.own).map(({ table }) => table)
    expect(Object.keys(exported.tables).sort()).toEqual(own.sort())
    const secrets = /sealed|secret|master_key|_hash"|challenge|"siwe_nonce":"/
    const text = JSON.stringify(exported).replaceAll(/"(tx|block|as_of|intent)_hash"/g, '')
    expect(text.match(secrets)).toBeNull()
    for (const { omit = [], table } of ACCOUNT_TABLES)
      for (const row of exported.tables[table] ?? [])
        expect(Object.keys(row).filter((column) => omit.includes(column))).toEqual([])
  })

  it('opens the note books and the spends for the owner', async () => {
    const { poolBooks, poolSpends } = await exportOf(leaver.accountId)
    expect(poolBooks).toMatchObject([
      {
        chainId: 1,
        spends: [
          {
            kind: 'incognito_send',
            until: '2026-01-01T00:00:00.000Z',
            parts: [{ label: '7', withdraws: '8', spentBy: { nullifierHash: '5', newCommitment: '6' } }],
          },
        ],
        settled: [{ label: '8', withdrawalIndex: 2, value: '3' }],
      },
    ])
    expect(poolSpends).toMatchObject([
      { id: poolBooks[0]!.spends[0]!['id'], chainId: 1, receives: '12345678901234567890', fee: '2' },
    ])
    const spends = JSON.stringify(await exportOf(neighbour.accountId))
    expect(spends).not.toContain(String(poolSpends[0]!['id']))
  })

  it('opens the handles of payees for the owner alone', async () => {
    const { cashPayees } = await exportOf(leaver.accountId)
    expect(cashPayees.map(({ handle }) => handle)).toEqual([`handle-of-${leaver.accountId}`])
    const { cashPayees: others } = await exportOf(neighbour.accountId)
    expect(others.map(({ handle }) => handle)).toEqual([`handle-of-${neighbour.accountId}`])
  })

  it('preserves large amounts exactly and names no other account', async () => {
    const exported = await exportOf(leaver.accountId)
    expect(exported.tables['holding']).toMatchObject([{ amount: '12345678901234567890' }])
    expect(JSON.stringify(exported)).not.toContain(neighbour.accountId)
  })

  it('shows a referrer its earnings without identifying the payments of others', async () => {
    const { quoteId, attributionId } = await database.pool.one(sql.type(
      z.object({ quoteId: z.string(), attributionId: z.string() }),
    )`
      select quote_id as "quoteId", attribution_id as "attributionId"
      from referral_earning join referral_attribution on referral_attribution.id = attribution_id
      where account_id = ${leaver.accountId}`)
    const { tables } = await exportOf(neighbour.accountId)
    expect(tables['referral_earning']).toEqual([
      { chain_id: '1', token: 'T', referrer_share: '5', referrer_share_usd_micros: '1000000' },
    ])
    expect(JSON.stringify(tables)).not.toContain(quoteId)
    expect(JSON.stringify(tables['referral_earning'])).not.toContain(attributionId)
  })

  it('of an unknown account is empty', async () => {
    expect(await exportAccount({ database: database.pool, vault }, randomUUID())).toBeNull()
  })
})
