import { randomBytes } from 'node:crypto'
import { bytesToHex, getAddress, zeroAddress, type Address } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../../../db/connect-database.ts'
import { readReviewsOf } from '../../../../db/activity/account-activity.ts'
import { insertRecovery, listRecoveries } from '../../../../db/transact/pool-recoveries.ts'
import { recordReviews } from '../../../../db/account/balances/pool-deposits.ts'
import { readAmounts } from '../../../../relayer/account/balances/read-amounts.ts'
import { NATIVE_ASSET } from '../../../../relayer/chain/nodes/config.ts'
import { createKeyWrapper } from '../../../../relayer/identity/key-wrapper.ts'
import { createVault } from '../../../../relayer/identity/create-vault.ts'
import { type PoolBooks, createPoolBooks } from '../../../../relayer/pool/book/pool-books.ts'
import { listCommitments } from '../../../../relayer/pool/notes/list-commitments.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { seedAccount } from '../seed-account.ts'

const CHAIN = 1
const run = sql.typeAlias('void')
const random = () => getAddress(bytesToHex(randomBytes(20)))
const pool = { chainId: CHAIN, address: random() }

let database: TestDatabase
let books: PoolBooks
let accountId: string
let address: Address
let label = 100n

beforeAll(async () => {
  database = await openTestDatabase()
  books = createPoolBooks(database.pool, createVault([createKeyWrapper(randomBytes(32))]))
  await database.pool.query(run`
    insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, pool, asset)
    values (${CHAIN}, '0x00', 0, 0, now(), '0x00', 'pool-registered', 'entrypoint', ${pool.address}, ${NATIVE_ASSET})`)
})
afterAll(() => database?.drop())
beforeEach(async () => {
  ;({ accountId } = await seedAccount(database.pool))
  address = random()
  await database.pool.query(run`
    insert into stealth_address (address, account_id, derivation_nonce) values (${address}, ${accountId}, 0)`)
})

/** A deposit of an own address; approved ones are in the association set. */
async function deposit(value: bigint, standing: 'pending' | 'approved' | 'declined'): Promise<bigint> {
  label += 1n
  await database.pool.query(run`
    insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, account,
      value, label, commitment, precommitment)
    values (${CHAIN}, ${`deposit ${label}`}, 1, 1, now(), '0x01', 'deposit', ${pool.address}, ${address}, ${value},
      ${label}, ${label * 1_000n}, ${label * 10n})`)
  await recordReviews(database.pool, pool, [{ label, status: standing }])
  if (standing === 'approved')
    await database.pool.query(run`
      insert into asp_set (chain_id, position, label) values (${CHAIN}, ${label}, ${label})`)
  return label
}

async function tell(of: bigint, value: bigint, withdraws: bigint, withdrawalIndex = 0): Promise<bigint> {
  const nullifierHash = BigInt(`0x${randomBytes(16).toString('hex')}`)
  const spentBy = { nullifierHash, newCommitment: nullifierHash + 1n }
  const part = { label: of, withdrawalIndex, value, withdraws, spentBy }
  await books.change(accountId, pool, async ({ content }) => ({
    content: {
      ...content,
      spends: [
        ...content.spends,
        {
          id: crypto.randomUUID(),
          kind: 'incognito_send',
          receives: withdraws,
          fee: 0n,
          until: Date.now() + 600_000,
          isUnlocked: false,
          parts: [part],
        },
      ],
    },
    result: null,
  }))
  return nullifierHash
}

const spend = (nullifierHash: bigint, withdrawn: bigint) =>
  database.pool.query(run`
    insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, value,
      nullifier_hash, commitment)
    values (${CHAIN}, ${`spend ${nullifierHash}`}, 2, 2, now(), '0x02', 'withdrawal', ${pool.address}, ${withdrawn},
      ${nullifierHash}, ${nullifierHash + 1n})`)

const readPooled = async () => {
  const amounts = await readAmounts({ database: database.pool, books }, accountId)
  return amounts.get(`${CHAIN}:${zeroAddress}`)?.pooled
}
const listNotes = async () =>
  (await listCommitments({ database: database.pool, books }, accountId, pool)).commitments
const tiers = (available: bigint, pendingWithdrawal = 0n, pendingApproval = 0n, declined = 0n) => ({
  available,
  pendingApproval,
  pendingWithdrawal,
  declined,
})

test('an approved note that a reported spend locks is pending withdrawal, and its remainder is available', async () => {
  const first = await deposit(100n, 'approved')
  await deposit(30n, 'approved')
  await deposit(7n, 'pending')
  await deposit(5n, 'declined')
  expect(await readPooled()).toEqual(tiers(130n, 0n, 7n, 5n))
  const nullifierHash = await tell(first, 100n, 40n)
  expect(await readPooled()).toEqual(tiers(30n, 100n, 7n, 5n))
  await spend(nullifierHash, 40n)
  expect(await readPooled()).toEqual(tiers(90n, 0n, 7n, 5n))
  expect((await listNotes()).find(({ label: of }) => of === first)).toEqual({
    id: `${first}-1`,
    depositIndex: null,
    withdrawalIndex: 1,
    commitment: nullifierHash + 1n,
    label: first,
    value: 60n,
    aspStatus: 'approved',
    known: 'told',
  })
})

test('a note that was spent whole is no commitment, and a reorg brings it back', async () => {
  const only = await deposit(100n, 'approved')
  const nullifierHash = await tell(only, 100n, 100n)
  await spend(nullifierHash, 100n)
  expect(await readPooled()).toEqual(tiers(0n))
  expect(await listNotes()).toEqual([])
  await database.pool.query(run`delete from pool_event where kind = 'withdrawal'`)
  expect(await readPooled()).toEqual(tiers(0n, 100n))
  expect(await listNotes()).toMatchObject([{ id: String(only), value: 100n, known: 'deposit' }])
})

test('activity and commitments agree about a deposit: an approval counts once the label is in the verified set', async () => {
  const labels = [
    await deposit(1n, 'pending'),
    await deposit(2n, 'approved'),
    await deposit(3n, 'declined'),
    await deposit(4n, 'approved'),
  ]
  const ahead = labels.at(-1)!
  await database.pool.query(run`delete from asp_set where chain_id = ${CHAIN} and label = ${ahead}`)
  const notes = (await listNotes()).map(({ label: of, aspStatus }) => [of, aspStatus])
  expect(new Map(notes as [bigint, string][]).get(ahead)).toBe('pending')
  expect([...(await readReviewsOf(database.pool, labels))].toSorted(byLabel)).toEqual(notes.toSorted(byLabel))
  // A pending recovery says so.
  await recover(ahead)
  expect(await listRecoveries(database.pool, [accountId])).toMatchObject([
    { label: ahead, aspStatus: 'pending' },
  ])
})

const byLabel = ([one]: readonly unknown[], [other]: readonly unknown[]) =>
  Number((one as bigint) - (other as bigint))

/** As the quote of a recovery writes it; the quote has the account's id. */
async function recover(of: bigint): Promise<void> {
  await database.pool.query(run`
    insert into quote (id, account_id, kind, chain_id, token, amount, recipient, terms, network_fee, service_fee, fee_waived,
      gas_cost, expires_at)
    values (${accountId}, ${accountId}, 'pool_recover', ${CHAIN}, ${zeroAddress}, 1, ${address}, '{}', 0, 0, false, 1,
      now() + interval '1 h')`)
  const quote = { quoteId: accountId, accountId }
  await insertRecovery(database.pool, quote, { chainId: CHAIN, pool: pool.address, label: of })
}

test('a change note that the provider drops is pending by its remaining value', async () => {
  const only = await deposit(100n, 'approved')
  await spend(await tell(only, 100n, 25n), 25n)
  await database.pool.query(run`delete from asp_set where chain_id = ${CHAIN} and label = ${only}`)
  expect(await readPooled()).toEqual(tiers(0n, 0n, 75n))
  await database.pool.query(run`
    insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, label)
    values (${CHAIN}, ${`ragequit ${only}`}, 3, 3, now(), '0x03', 'ragequit', ${pool.address}, ${only})`)
  expect(await listNotes()).toEqual([])
  expect((await readPooled()) ?? tiers(0n)).toEqual(tiers(0n))
})
