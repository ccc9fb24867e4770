import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../../db/connect-database.ts'
import type { ProvingPool } from '../../../../proving/proving-pool.ts'
import { rederiveAddresses } from '../../../../relayer/account/addresses/rederive-addresses.ts'
import { openAddressWorld } from './open-address-world.ts'
import { shareProvingPool } from '../../../harness/share-proving-pool.ts'

let proving: ProvingPool
beforeAll(async () => {
  proving = await shareProvingPool({ threads: 1, commitmentKeys: [] })
})
afterAll(() => proving.close())

const upTo = (end: number) => Array.from({ length: end }, (_, index) => index)

test('after an older database is restored, all addresses are known again and none is issued twice', async () => {
  const { addresses, pool, vault, addAccount, readNonces } = await openAddressWorld()
  const { id } = await addAccount()
  const issued: Address[] = []
  for (const _ of upTo(5)) issued.push((await addresses.issue(id, 'external')).address)
  await pool.query(sql.typeAlias('void')`
    delete from stealth_address where account_id = ${id} and derivation_nonce >= 2`)
  await pool.query(sql.typeAlias('void')`update account set next_derivation_nonce = 2 where id = ${id}`)

  const parts = { database: pool, vault, proving }
  expect(await rederiveAddresses(parts, id, 1_000)).toBe(998)
  expect(await readNonces(id)).toEqual({ nonces: upTo(1_000), next: 1_000 })
  for (const address of issued) expect(await addresses.owns(id, address)).toBe(true)
  const listed = await addresses.list(id, { after: null, limit: 5 })
  expect(listed.map(({ address }) => address)).toEqual(issued)
  expect(listed.map(({ generationContext }) => generationContext)).toEqual([
    'external',
    'external',
    null,
    null,
    null,
  ])
  expect(await rederiveAddresses(parts, id, 1_000)).toBe(0)
  expect((await addresses.issue(id, 'external')).derivationNonce).toBe(1_000)
})

test('the command never lowers the counter and may run while addresses are issued', async () => {
  const { addresses, pool, vault, addAccount, readNonces } = await openAddressWorld()
  const { id } = await addAccount()
  await Promise.all([
    rederiveAddresses({ database: pool, vault, proving }, id, 20),
    ...upTo(60).map(() => addresses.issue(id, 'external')),
  ])
  const { nonces, next } = await readNonces(id)
  expect(nonces).toEqual(upTo(next))
  expect(next).toBeGreaterThanOrEqual(60)
})

test('an address that the keys do not derive is reported, and nothing is changed', async () => {
  const { addresses, pool, vault, addAccount, readNonces } = await openAddressWorld()
  const [account, other] = [await addAccount(), await addAccount()]
  await addresses.issue(account.id, 'external')
  const stray = (await addresses.issue(other.id, 'external')).address
  await pool.query(sql.typeAlias('void')`
    update stealth_address set account_id = ${account.id}, derivation_nonce = 3 where address = ${stray}`)
  const parts = { database: pool, vault, proving }
  await expect(rederiveAddresses(parts, account.id, 10)).rejects.toMatchObject({ kind: 'conflict' })
  expect(await readNonces(account.id)).toEqual({ nonces: [0, 3], next: 1 })
})

test('an unknown account is reported', async () => {
  const { pool, vault } = await openAddressWorld()
  const nobody = '00000000-0000-4000-8000-000000000000'
  await expect(rederiveAddresses({ database: pool, vault, proving }, nobody, 1)).rejects.toMatchObject({
    kind: 'not-found',
  })
})
