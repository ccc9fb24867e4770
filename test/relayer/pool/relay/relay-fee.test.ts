import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computeRelayFeeBps, smallestAmountInWei } from '../../../../relayer/pool/relay/relay-fee.ts'

const gwei = 10n ** 9n

describe('computeRelayFeeBps', () => {
  test('is the base fee plus the gas as a share of the amount, rounded down', () => {
    // 500,000 gas at 30 gwei is 0.015 coins: 150 basis points of one coin, 49.99… of 3.0001.
    const fee = { baseFeeBps: 10n, gasPrice: 30n * gwei, gas: [500_000n] }
    expect(computeRelayFeeBps({ ...fee, amountInWei: 10n ** 18n })).toBe(160n)
    expect(computeRelayFeeBps({ ...fee, amountInWei: 30_001n * 10n ** 14n })).toBe(59n)
    expect(computeRelayFeeBps({ ...fee, gas: [500_000n, 60_000n, 200_000n], amountInWei: 10n ** 18n })).toBe(
      238n,
    )
  })

  test('has no result for an amount without value', () => {
    expect(computeRelayFeeBps({ baseFeeBps: 10n, gasPrice: gwei, gas: [1n], amountInWei: 0n })).toBeNull()
  })

  test('covers the gas whenever the base fee is at least one basis point', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 500n),
        fc.bigInt(1n, 1_000n * gwei),
        fc.array(fc.bigInt(21_000n, 2_000_000n), { minLength: 1, maxLength: 3 }),
        fc.bigInt(10n ** 15n, 10n ** 24n),
        (baseFeeBps, gasPrice, gas, amountInWei) => {
          const bps = computeRelayFeeBps({ baseFeeBps, gasPrice, gas, amountInWei })
          const cost = gas.reduce((sum, part) => sum + part, 0n) * gasPrice
          // The Entrypoint pays out floor(amount · bps / 10000).
          expect((amountInWei * (bps ?? 0n)) / 10_000n).toBeGreaterThanOrEqual(cost)
        },
      ),
    )
  })
})

describe('smallestAmountInWei', () => {
  test('is the smallest amount whose fee stays within the limit', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 100n),
        fc.bigInt(1n, 1_000n * gwei),
        fc.bigInt(21_000n, 2_000_000n),
        fc.bigInt(100n, 9_999n),
        (baseFeeBps, gasPrice, gas, limit) => {
          const fee = { baseFeeBps, gasPrice, gas: [gas] }
          const smallest = smallestAmountInWei(fee, limit)
          expect(smallest).not.toBeNull()
          if (smallest === null) return
          expect(computeRelayFeeBps({ ...fee, amountInWei: smallest })).toBeLessThanOrEqual(limit)
          if (smallest > 1n)
            expect(computeRelayFeeBps({ ...fee, amountInWei: smallest - 1n })).toBeGreaterThan(limit)
        },
      ),
    )
  })

  test('does not exist when the base fee alone exceeds the limit', () => {
    expect(smallestAmountInWei({ baseFeeBps: 200n, gasPrice: 1n, gas: [1n] }, 199n)).toBeNull()
  })
})
