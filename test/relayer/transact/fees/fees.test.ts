import { numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { extraFeeOfReceipt, type ExtraFeeMembers } from '../../../../relayer/chain/nodes/extra-fees.ts'
import { NO_EXTRA_FEES } from '../../../../relayer/chain/nodes/sending-price.ts'
import { networkFeeOf, type FeeRate, SharedFees } from '../../../../relayer/transact/fees/network-fee.ts'
import { roundUpCoarsely } from '../../../../relayer/transact/intents/batch-gas.ts'
import {
  effectiveBps,
  largestAmountWithin,
  serviceFeeOf,
} from '../../../../relayer/transact/fees/service-fee.ts'
import { createDice } from '../quotes/random-wallet.ts'

const usd = (dollars: bigint) => dollars * 10n ** 30n
const priceOf = (gasPrice: bigint) => ({ gasPrice, extra: NO_EXTRA_FEES })
const sizeOf = (gas: bigint, bytes = 300) => ({ gas, bytes })
const native: FeeRate = { price: priceOf(10n), marginPercent: 20, exchange: null }
const divideUp = (value: bigint, by: bigint) => (value + by - 1n) / by
const dollar: FeeRate = {
  price: priceOf(10n ** 9n),
  marginPercent: 0,
  exchange: { nativeUsd: usd(3_000n), tokenUsd: usd(1n), tokenDecimals: 6 },
}

describe('the network fee', () => {
  it('is gas times price with the margin, in the coin, rounded up to four binary digits', () => {
    // 1,200 is 0b100_1011_0000.
    expect(networkFeeOf(sizeOf(100n), native)).toBe(0b101_0000_0000n)
    expect(networkFeeOf(sizeOf(1n), { ...native, price: priceOf(1n), marginPercent: 5 })).toBe(2n)
  })

  it('is the same at gas prices that are close, so that it does not reveal when a quote was made', () => {
    const at = (gasPrice: bigint) => networkFeeOf(sizeOf(171_234n), { ...native, price: priceOf(gasPrice) })
    expect(at(1_000_000_007n)).toBe(at(1_020_000_000n))
    const dice = createDice(6)
    const fees = new Set(Array.from({ length: 1_000 }, () => at(10n ** 9n + dice(10n ** 9n))))
    expect(fees.size).toBeLessThanOrEqual(9)
  })

  it("includes a rollup's fees for the bytes and for the gas, with the same margin", () => {
    const extra = {
      l1Small: 500n,
      l1Large: 500n + 1_310_720n,
      operatorLeast: 7n,
      operatorLarge: 7n + 5n * 10n ** 9n,
    }
    const rate = { ...native, price: { gasPrice: 10n, extra } }
    // 1,000 for gas, 500 for up to 256 bytes, 7 for the transaction and 500 for its gas.
    expect(networkFeeOf(sizeOf(100n, 256), rate)).toBe(roundUpCoarsely(2_409n, 4))
    // Ten for each byte more.
    expect(networkFeeOf(sizeOf(100n, 300), rate)).toBe(roundUpCoarsely(2_937n, 4))
    expect(networkFeeOf(sizeOf(100n, 300), rate)).toBe(3_072n)
  })

  it("counts a transaction's operator fee by the formula of its version", () => {
    const [gasUsed, gasPrice] = [21_000n, 2_000_000_000n]
    const receipt = {
      l1Fee: numberToHex(700_000_000_000n),
      operatorFeeScalar: numberToHex(5_000_000n),
      operatorFeeConstant: numberToHex(1_000_000_000_000n),
    }
    const costOf = (members: ExtraFeeMembers) => gasUsed * gasPrice + extraFeeOfReceipt(members, gasUsed)
    expect(costOf(receipt)).toBe(43_700_000_105_000n)
    expect(costOf({ ...receipt, daFootprintGasScalar: '0x190' })).toBe(
      43_700_000_000_000n + 21_000n * 5_000_000n * 100n,
    )
    expect(costOf({ l1Fee: receipt.l1Fee, operatorFeeScalar: null })).toBe(42_700_000_000_000n)
    expect(costOf({})).toBe(42_000_000_000_000n)
  })

  it('has at least the same value in the token as in the coin', () => {
    // 200,000 gas at 1 gwei is 0.0002 coins, 0.6 dollars.
    expect(networkFeeOf(sizeOf(200_000n), dollar)).toBe(655_360n)
    expect(networkFeeOf(sizeOf(1n), dollar)).toBe(3n)
    expect(networkFeeOf(sizeOf(1n), { ...dollar, price: priceOf(1n) })).toBe(1n)
    const dice = createDice(4)
    for (let round = 0; round < 1_000; round += 1) {
      const tokenDecimals = Number(dice(31n))
      const exchange = { nativeUsd: 1n + dice(usd(1n)), tokenUsd: 1n + dice(usd(1n)), tokenDecimals }
      const [gas, gasPrice] = [dice(10n ** 7n), dice(10n ** 9n)]
      const fee = networkFeeOf(sizeOf(gas), { price: priceOf(gasPrice), marginPercent: 0, exchange })
      const owed = gas * gasPrice * exchange.nativeUsd * 10n ** BigInt(tokenDecimals)
      expect(fee * exchange.tokenUsd * 10n ** 18n).toBeGreaterThanOrEqual(owed)
      // An eighth more at most.
      const exact = divideUp(owed, exchange.tokenUsd * 10n ** 18n)
      expect(fee * 8n).toBeLessThanOrEqual(exact * 9n)
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

describe('the fee that quotes share', () => {
  it('is the highest of the hour, covers the present fee, and is at most twice as much', () => {
    let now = 7_200_000
    const shared = new SharedFees(() => now)
    expect([100n, 90n, 120n, 60n].map((fee) => shared.cover('a', fee))).toEqual([100n, 100n, 120n, 120n])
    expect(shared.cover('b', 30n)).toBe(30n)
    // Halves of the highest, also where the price falls and rises again.
    expect([59n, 31n, 25n, 110n].map((fee) => shared.cover('a', fee))).toEqual([60n, 60n, 30n, 120n])
    now += 3_600_000
    expect(shared.cover('a', 50n)).toBe(50n)
  })
})
