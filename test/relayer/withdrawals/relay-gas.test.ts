import { expect, test } from 'vitest'
import { NATIVE_ASSET } from '../../../relayer/chains/config.ts'
import type { Pool } from '../../../relayer/pools/pool-state.ts'
import { createRelayGas } from '../../../relayer/withdrawals/relay-gas.ts'

const pool: Pool = {
  chainId: 1,
  address: '0x1000000000000000000000000000000000000001',
  asset: { asset: NATIVE_ASSET, symbol: 'ETH', decimals: 18, baseFeeBPS: 10, minWithdrawAmount: 1n },
  scope: 1n,
  maxRelayFeeBps: 100n,
}

test('quotes the most of the newest relays, with headroom', () => {
  const gas = createRelayGas()
  const unmeasured = gas.quoted(pool)
  for (const used of [450_000n, 480_000n, 460_000n]) gas.observe(pool, used)
  expect(gas.quoted(pool)).toBe(520_000n)
  expect(gas.quoted(pool)).toBeLessThan(unmeasured)
  for (let relay = 0; relay < 32; relay++) gas.observe(pool, 400_000n)
  expect(gas.quoted(pool)).toBe(440_000n)
})

test('a recipient that burns gas does not make the next quotes dearer, nor the limit grow by every turn', () => {
  const gas = createRelayGas()
  for (let relay = 0; relay < 20; relay++) gas.observe(pool, 450_000n)
  const quoted = gas.quoted(pool)
  for (let turn = 0; turn < 10; turn++) gas.observe(pool, gas.limit(pool))
  expect(gas.quoted(pool)).toBe(quoted)
  expect(gas.limit(pool)).toBe(850_000n)
})
