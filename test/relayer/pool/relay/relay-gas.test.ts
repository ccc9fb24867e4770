import { expect, test } from 'vitest'
import { NATIVE_ASSET } from '../../../../relayer/chain/nodes/config.ts'
import type { Pool } from '../../../../relayer/pool/state/pool-state.ts'
import { createRelayGas, growthOf } from '../../../../relayer/pool/relay/relay-gas.ts'

const pool: Pool = {
  chainId: 1,
  address: '0x1000000000000000000000000000000000000001',
  asset: { asset: NATIVE_ASSET, symbol: 'ETH', decimals: 18, baseFeeBPS: 10, minWithdrawAmount: 1n },
  scope: 1n,
  minDeposit: 1n,
  vettingFeeBps: 50n,
  maxRelayFeeBps: 100n,
}
const times = (count: number, gas: bigint) => Array.from({ length: count }, () => gas)

test('the quoted gas is the maximum of the newest relays with a margin', () => {
  const gas = createRelayGas()
  const unmeasured = gas.quoted(pool)
  gas.learn(pool, [450_000n, 480_000n, 460_000n])
  expect(gas.quoted(pool)).toBe(520_000n)
  expect(gas.quoted(pool)).toBeLessThan(unmeasured)
  gas.learn(pool, times(32, 400_000n))
  expect(gas.quoted(pool)).toBe(440_000n)
})

test('a few relays with far more gas than the others change neither quote nor limit', () => {
  const gas = createRelayGas()
  gas.learn(pool, times(20, 450_000n))
  const [quoted, limit] = [gas.quoted(pool), gas.limit(pool)]
  gas.learn(pool, [...times(10, 9_800_000n), ...times(20, 450_000n)])
  expect(gas.quoted(pool)).toBe(quoted)
  expect(gas.limit(pool)).toBe(limit)
  expect(limit).toBe(450_000n + 40_000n + 253_500n)
})

test('quote and limit stay below the maximum of the pool whatever the measurements', () => {
  const gas = createRelayGas()
  gas.learn(pool, times(32, 9_800_000n))
  expect(gas.quoted(pool)).toBe(1_040_000n)
  expect(gas.limit(pool)).toBe(1_040_000n)
  expect(gas.limitFor(pool, 1_000_000n, 500)).toBe(1_040_000n)
  const own = { ...pool, asset: { ...pool.asset, maxRelayGas: 700_000 } }
  expect(gas.quoted(own)).toBe(700_000n)
})

test("the gas of a relay grows with the tree's inserts, up to 63 of them", () => {
  expect(growthOf(0)).toBe(4n * 16_000n + 16n * 2_500n)
  expect(growthOf(20)).toBe(5n * 16_000n + 36n * 2_500n)
  expect(growthOf(500)).toBe(6n * 16_000n + 63n * 2_500n)
  for (let before = 0; before < 2_000; before += 1)
    for (const inserts of [1, 5, 16, 31, 63])
      expect(bits(before + inserts) - bits(before)).toBeLessThanOrEqual(Math.floor(Math.log2(inserts + 1)))
})

const bits = (index: number) => index.toString(2).replaceAll('0', '').length
