import { describe, expect, it } from 'vitest'
import { networkFeeOf, type FeeRate } from '../../../../relayer/transact/fees/network-fee.ts'
import {
  effectiveBps,
  largestAmountWithin,
  serviceFeeOf,
} from '../../../../relayer/transact/fees/service-fee.ts'
import { createDice } from '../selection/random-wallet.ts'

const usd = (dollars: bigint) => dollars * 10n ** 30n
const native: FeeRate = { gasPrice: 10n, dataFee: 0n, marginPercent: 20, exchange: null }
const dollar: FeeRate = {
  gasPrice: 10n ** 9n,
  dataFee: 0n,
  marginPercent: 0,
  exchange: { nativeUsd: usd(3_000n), tokenUsd: usd(1n), tokenDecimals: 6 },
}

describe('the network fee', () => {
  it('is gas times price with the margin, in the coin', () => {
    expect(networkFeeOf(100n, native)).toBe(1_200n)
    expect(networkFeeOf(1n, { ...native, gasPrice: 1n, marginPercent: 5 })).toBe(2n)
  })

  it("includes a rollup's fee for publishing, with the same margin", () => {
    expect(networkFeeOf(100n, { ...native, dataFee: 500n })).toBe(1_800n)
  })

  it('has at least the same value in the token as in the coin', () => {
    // 200,000 gas at 1 gwei is 0.0002 coins, 0.6 dollars.
    expect(networkFeeOf(200_000n, dollar)).toBe(600_000n)
    expect(networkFeeOf(1n, dollar)).toBe(3n)
    expect(networkFeeOf(1n, { ...dollar, gasPrice: 1n })).toBe(1n)
    const dice = createDice(4)
    for (let round = 0; round < 1_000; round += 1) {
      const tokenDecimals = Number(dice(31n))
      const exchange = { nativeUsd: 1n + dice(usd(1n)), tokenUsd: 1n + dice(usd(1n)), tokenDecimals }
      const [gas, gasPrice] = [dice(10n ** 7n), dice(10n ** 9n)]
      const fee = networkFeeOf(gas, { gasPrice, dataFee: 0n, marginPercent: 0, exchange })
      const owed = gas * gasPrice * exchange.nativeUsd * 10n ** BigInt(tokenDecimals)
      expect(fee * exchange.tokenUsd * 10n ** 18n).toBeGreaterThanOrEqual(owed)
      expect((fee - 1n) * exchange.tokenUsd * 10n ** 18n).toBeLessThan(owed === 0n ? 1n : owed)
    }
  })
})

describe('the service fee', () => {
  it('is a share of the amount, less a referral discount, and zero under a waiver', () => {
    const terms = { serviceFeeBps: 20, discountBps: 0, waived: false }
    expect(serviceFeeOf(1_000_000n, terms)).toBe(2_000n)
    expect(serviceFeeOf(499n, terms)).toBe(0n)
    expect(serviceFeeOf(1_000_000n, { ...terms, discountBps: 2_500 })).toBe(1_500n)
    expect(serviceFeeOf(1_000_000n, { ...terms, waived: true })).toBe(0n)
    expect(effectiveBps({ ...terms, discountBps: 2_500 })).toBe(15)
    expect(effectiveBps({ ...terms, waived: true })).toBe(0)
  })

  it('allows the largest amount that leaves room for it', () => {
    const dice = createDice(5)
    for (let round = 0; round < 5_000; round += 1) {
      const terms = { serviceFeeBps: Number(dice(1_001n)), discountBps: Number(dice(10_001n)), waived: false }
      const net = dice(10n ** dice(20n) + 1n)
      const amount = largestAmountWithin(net, terms)
      expect(amount + serviceFeeOf(amount, terms)).toBeLessThanOrEqual(net)
      expect(amount + 1n + serviceFeeOf(amount + 1n, terms)).toBeGreaterThan(net)
    }
    expect(largestAmountWithin(0n, { serviceFeeBps: 20, discountBps: 0, waived: false })).toBe(0n)
  })
})
