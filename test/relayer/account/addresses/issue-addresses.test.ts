import { expect, test } from 'vitest'
import { handOutAgain, lockAccount } from '../../../../db/account/addresses/issue-addresses.ts'
import { watchAddresses } from '../../../../db/chain/indexer/watched-addresses.ts'
import { sql } from '../../../../db/connect-database.ts'
import { holdTransaction, untilSomebodyWaits } from '../../../harness/hold-transaction.ts'
import { derivePlainly } from '../../../proving/derivation/derive-plainly.ts'
import { openAddressWorld } from './open-address-world.ts'

const upTo = (end: number) => Array.from({ length: end }, (_, index) => index)
const HOUR_MS = 3_600_000

test('a thousand simultaneous requests get a thousand addresses without a gap', async () => {
  const { addresses, addAccount, readNonces } = await openAddressWorld()
  const account = await addAccount()
  const issued = await Promise.all(upTo(1_000).map(() => addresses.issue(account.id, 'external')))
  expect(new Set(issued.map(({ address }) => address)).size).toBe(1_000)
  expect(issued.every(({ reused, limitResetsAt }) => !reused && limitResetsAt === null)).toBe(true)
  expect(await readNonces(account.id)).toEqual({ nonces: upTo(1_000), next: 1_000 })
  for (const { address, derivationNonce } of [issued[0]!, issued[1]!, issued[500]!, issued[999]!]) {
    const { childViewKey, spendPublicKey } = account
    expect(address).toBe(derivePlainly(childViewKey, spendPublicKey, BigInt(derivationNonce)).address)
  }
})

test('instances and contexts share one sequence of derivationNonces without a gap', async () => {
  const { addresses, openInstance, addAccount, readNonces } = await openAddressWorld()
  const account = await addAccount()
  const instances = [addresses, await openInstance(), await openInstance()]
  const issued = await Promise.all(
    upTo(300).map((index) =>
      instances[index % 3]!.issue(account.id, index % 2 === 0 ? 'external' : 'fund-movement'),
    ),
  )
  expect(new Set(issued.map(({ address }) => address)).size).toBe(300)
  expect(await readNonces(account.id)).toEqual({ nonces: upTo(300), next: 300 })
})

test('a busy account does not delay others', async () => {
  const { addresses, addAccount, readNonces } = await openAddressWorld()
  const [busy, calm] = [await addAccount(), await addAccount()]
  let ended = 0
  const many = upTo(1_000).map(async () => {
    await addresses.issue(busy.id, 'external')
    ended += 1
  })
  await addresses.issue(calm.id, 'external')
  expect(ended).toBeLessThan(500)
  await Promise.all(many)
  expect(await readNonces(calm.id)).toEqual({ nonces: [0], next: 1 })
})

test('a failed request uses no derivationNonce', async () => {
  const { addresses, pool, addAccount, readNonces } = await openAddressWorld()
  const account = await addAccount()
  const first = await addresses.issue(account.id, 'external')
  // The next address exists already, as after restoring an old backup: its insert fails.
  const second = derivePlainly(account.childViewKey, account.spendPublicKey, 1n).address
  await pool.query(sql.typeAlias('void')`
    insert into stealth_address (address, account_id, derivation_nonce) values (${second}, ${account.id}, 77)`)
  const failed = await Promise.allSettled([
    addresses.issue(account.id, 'external'),
    addresses.issue(account.id, 'external'),
  ])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await readNonces(account.id)).toEqual({ nonces: [0, 77], next: 1 })
  await pool.query(sql.typeAlias('void')`delete from stealth_address where address = ${second}`)
  expect((await addresses.issue(account.id, 'external')).address).toBe(second)
  expect(first.derivationNonce).toBe(0)
})

test('keys that cannot be decrypted issue no address', async () => {
  const { addresses, pool, addAccount, readNonces } = await openAddressWorld()
  const [account, other] = [await addAccount(), await addAccount()]
  await pool.query(sql.typeAlias('void')`
    update account set sealed_keys = (select sealed_keys from account where id = ${other.id}) where id = ${account.id}`)
  await expect(addresses.issue(account.id, 'external')).rejects.toThrow('belongs to another owner')
  expect(await readNonces(account.id)).toEqual({ nonces: [], next: 0 })
})

test('an account that does not exist gets no address', async () => {
  const { addresses } = await openAddressWorld()
  await expect(addresses.issue('00000000-0000-4000-8000-000000000000', 'external')).rejects.toMatchObject({
    kind: 'not-found',
  })
})

test('beyond the limit, unused addresses are handed out again, longest ago first', async () => {
  const { addresses, addAccount, readNonces } = await openAddressWorld({
    freshPerWindow: 3,
    windowMs: HOUR_MS,
  })
  const { id } = await addAccount()
  const before = Date.now()
  const fresh = [
    await addresses.issue(id, 'external'),
    await addresses.issue(id, 'external'),
    await addresses.issue(id, 'external'),
  ]
  const again = []
  for (const _ of upTo(4)) again.push(await addresses.issue(id, 'external'))
  expect(again.map(({ derivationNonce }) => derivationNonce)).toEqual([0, 1, 2, 0])
  expect(again.map(({ address }) => address)).toEqual([0, 1, 2, 0].map((index) => fresh[index]?.address))
  for (const { reused, limitResetsAt } of again) {
    expect(reused).toBe(true)
    expect(limitResetsAt?.getTime()).toBeGreaterThanOrEqual(before + HOUR_MS - 1_000)
    expect(limitResetsAt?.getTime()).toBeLessThanOrEqual(Date.now() + HOUR_MS)
  }
  expect(await readNonces(id)).toEqual({ nonces: [0, 1, 2], next: 3 })
})

test('an address that another instance is reusing goes to no other account', async () => {
  const { addresses, pool, openInstance, addAccount } = await openAddressWorld({ freshPerWindow: 3 })
  const { id } = await addAccount()
  const fresh = []
  for (const _ of upTo(3)) fresh.push(await addresses.issue(id, 'external'))
  const other = await openInstance()
  const first = await holdTransaction(pool, async (transaction) => {
    await lockAccount(transaction, id)
    return handOutAgain(transaction, id, 1)
  })
  const second = other.issue(id, 'external')
  await untilSomebodyWaits(pool)
  await first.commit()
  expect(first.result.map(({ address }) => address)).toEqual([fresh[0]?.address])
  expect((await second).address).toBe(fresh[1]?.address)
})

test('addresses are handed out again while the indexer begins to watch them', async () => {
  const { addresses, pool, addAccount } = await openAddressWorld()
  const { id } = await addAccount()
  const { address } = await addresses.issue(id, 'external')
  const watching = await holdTransaction(pool, (transaction) =>
    watchAddresses(transaction, 1, [address], { liveFrom: 1n, startBlock: 1n }),
  )
  const again = await pool.transaction(async (transaction) => {
    await transaction.query(sql.typeAlias('void')`set local lock_timeout = '5s'`)
    return handOutAgain(transaction, id, 1)
  })
  expect(again.map((one) => one.address)).toEqual([address])
  await watching.commit()
})

test('an address that was paid is not handed out again, and makes room for a fresh one', async () => {
  const { addresses, addAccount, touch } = await openAddressWorld({ freshPerWindow: 2, windowMs: HOUR_MS })
  const { id } = await addAccount()
  const [first] = [await addresses.issue(id, 'external'), await addresses.issue(id, 'external')]
  expect(await addresses.issue(id, 'external')).toMatchObject({ derivationNonce: 0, reused: true })
  await touch(first.address)
  expect(await addresses.issue(id, 'external')).toMatchObject({ derivationNonce: 2, reused: false })
  const again = [
    await addresses.issue(id, 'external'),
    await addresses.issue(id, 'external'),
    await addresses.issue(id, 'external'),
  ]
  expect(again.map(({ derivationNonce }) => derivationNonce)).toEqual([1, 2, 1])
})

test('accounts of one network share its fresh addresses, each has at least one, and a paid account gets more', async () => {
  const { addresses, addAccount, touch } = await openAddressWorld({ freshPerWindow: 3, freshPerNetwork: 4 })
  const [one, other, late] = [await addAccount(), await addAccount(), await addAccount()]
  const issue = ({ id }: { id: string }, network = '198.51.100.7') => addresses.issue(id, 'external', network)
  const fresh = []
  for (const _ of upTo(3)) fresh.push(await issue(one))
  for (const _ of upTo(1)) expect(await issue(other)).toMatchObject({ derivationNonce: 0, reused: false })
  const before = Date.now()
  const again = await issue(other)
  expect(again).toMatchObject({ derivationNonce: 0, reused: true })
  expect(again.limitResetsAt?.getTime()).toBeGreaterThan(before)
  expect(await Promise.all([issue(late), issue(late), issue(late)])).toMatchObject([
    { derivationNonce: 0, reused: false },
    { derivationNonce: 0, reused: true },
    { derivationNonce: 0, reused: true },
  ])
  for (const { address } of fresh) await touch(address)
  expect(await issue(one)).toMatchObject({ derivationNonce: 3, reused: false })
  expect(await issue(one)).toMatchObject({ derivationNonce: 3, reused: true })
  expect(await issue(other, '203.0.113.9')).toMatchObject({ derivationNonce: 1, reused: false })
})

test('new addresses are issued again when the window has passed', async () => {
  const { addresses, addAccount, age } = await openAddressWorld({ freshPerWindow: 2, windowMs: HOUR_MS })
  const { id } = await addAccount()
  const [first] = [await addresses.issue(id, 'external'), await addresses.issue(id, 'external')]
  await age(first.address, HOUR_MS - 60_000)
  const { reused, limitResetsAt } = await addresses.issue(id, 'external')
  expect(reused).toBe(true)
  expect(limitResetsAt?.getTime()).toBeLessThanOrEqual(Date.now() + 60_000)
  await age(first.address, 60_000)
  expect(await addresses.issue(id, 'external')).toMatchObject({
    derivationNonce: 2,
    reused: false,
    limitResetsAt: null,
  })
})

test("simultaneous requests stay within the limit, and addresses for the service's own use do not count", async () => {
  const { addresses, openInstance, addAccount, readNonces } = await openAddressWorld({ freshPerWindow: 10 })
  const { id } = await addAccount()
  const other = await openInstance()
  const issued = await Promise.all(
    upTo(60).map((index) => (index % 2 ? other : addresses).issue(id, 'external')),
  )
  expect(issued.filter(({ reused }) => !reused)).toHaveLength(10)
  expect(await readNonces(id)).toEqual({ nonces: upTo(10), next: 10 })
  const moved = await Promise.all(upTo(5).map(() => addresses.issue(id, 'fund-movement')))
  expect(moved.map(({ reused, derivationNonce }) => [reused, derivationNonce])).toEqual(
    upTo(5).map((index) => [false, 10 + index]),
  )
  // An address that the service moved funds to is never issued.
  const again = await Promise.all(upTo(30).map(() => addresses.issue(id, 'external')))
  expect(new Set(again.map(({ derivationNonce }) => derivationNonce))).toEqual(new Set(upTo(10)))
})
