import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProvingPool } from '../../../proving/create-proving-pool.ts'
import type { ProvingPool } from '../../../proving/proving-pool.ts'
import { childViewKeyOf, derivePlainly, publicKeyOf } from './derive-plainly.ts'

const spendPublicKey = publicKeyOf(new Uint8Array(32).fill(0x11))
const childViewKey = childViewKeyOf(new Uint8Array(32).fill(0x22))
let pool: ProvingPool
beforeAll(async () => {
  pool = await createProvingPool({ commitmentKeys: [], threads: 1 })
})
afterAll(() => pool.close())

test('a thread derives successive addresses, across the border of 2^28', async () => {
  const first = 268_435_454n
  const addresses = await pool.derive({ childViewKey, spendPublicKey, first, count: 4 })
  expect(addresses).toEqual(
    [0n, 1n, 2n, 3n].map((step) => derivePlainly(childViewKey, spendPublicKey, first + step).address),
  )
  expect(addresses[2]?.toLowerCase()).toBe('0x9445ebe598bd4141c77fd8acd1680e66664902c6')
  expect(pool.stats().tasks.derive).toMatchObject({ done: 4, failed: 0 })
  expect(childViewKey).toEqual(childViewKeyOf(new Uint8Array(32).fill(0x22)))
})

test('simultaneous jobs each get their own addresses', async () => {
  const jobs = await Promise.all(
    [0n, 100n, 200n].map((first) => pool.derive({ childViewKey, spendPublicKey, first, count: 100 })),
  )
  expect(new Set(jobs.flat()).size).toBe(300)
  expect(jobs[2]?.[99]).toBe(derivePlainly(childViewKey, spendPublicKey, 299n).address)
})

test.each([0, 1_001, -1])('a job of %d addresses is refused', async (count) => {
  await expect(pool.derive({ childViewKey, spendPublicKey, first: 0n, count })).rejects.toThrow(RangeError)
})

test('an invalid derivationNonce is refused, and the next job runs', async () => {
  const first = 0x7ff_ffff_ffff_fffen
  await expect(pool.derive({ childViewKey, spendPublicKey, first, count: 2 })).rejects.toThrow(
    'derivationNonce',
  )
  expect(await pool.derive({ childViewKey, spendPublicKey, first, count: 1 })).toHaveLength(1)
})

test('a fault in a thread says where it arose', async () => {
  const fault = await pool
    .derive({ childViewKey, spendPublicKey, first: -1n, count: 1 })
    .catch((error: unknown) => error as Error)
  expect((fault as Error).cause).toMatchObject({ stack: expect.stringContaining('derive-addresses.ts') })
})
