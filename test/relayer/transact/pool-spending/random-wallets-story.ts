import fc from 'fast-check'
import { expect } from 'vitest'
import type { RelayTerms } from '../../../../relayer/pool/relay/withdrawals.ts'
import {
  planSpend,
  receivedOf,
  type SpendableNote,
} from '../../../../relayer/transact/pool-spending/plan-spend.ts'

/** Terms by the published formula: base + floor(10000 · gas cost / amount). */
export function termsOf({
  base,
  gasCost,
  max,
  least,
}: {
  base: bigint
  gasCost: bigint
  max: bigint
  least: bigint
}): RelayTerms {
  const affordable = max < base ? null : (10_000n * gasCost) / (max - base + 1n) + 1n
  return {
    baseFeeBps: base,
    maxFeeBps: max,
    leastAmount: affordable === null || affordable > least ? affordable : least,
    feeBps: (amount) => base + (10_000n * gasCost) / amount,
  }
}
export const notesOf = (...values: bigint[]): SpendableNote[] =>
  values.map((value, depositIndex) => ({ id: String(depositIndex), value, depositIndex }))

/** Plans of random wallets: recipients get their amounts, at most a basis point more, and no bound is broken. */
export function randomWalletsStory(wallets: number): void {
  const amount = (low: number, high: number) =>
    fc.double({ min: low, max: high, noNaN: true }).map((exponent) => BigInt(Math.floor(10 ** exponent)))
  const wallet = fc.record({
    terms: fc
      .record({
        base: fc.constant(10n),
        gasCost: amount(2, 6),
        max: fc.bigInt(50n, 1_000n),
        least: amount(3, 6),
      })
      .map(termsOf),
    values: fc.array(amount(4, 10), { minLength: 1, maxLength: 12 }),
    wanted: amount(3, 10),
  })
  fc.assert(
    fc.property(wallet, ({ terms, values, wanted }) => {
      const plan = planSpend(notesOf(...values), wanted, terms)
      const total = values.reduce((sum, value) => sum + value, 0n)
      if (plan.kind === 'too-little') expect(total < wanted).toBe(true)
      if (plan.kind === 'fees-exceed') expect(plan.maxSendable < wanted).toBe(true)
      if (plan.kind !== 'planned') return
      const { parts } = plan
      const got = parts.reduce(
        (sum, { withdraws }) => sum + receivedOf(withdraws, terms.feeBps(withdraws)),
        0n,
      )
      const slack = parts.reduce((sum, { withdraws }) => sum + withdraws / 10_000n + 1n, 0n)
      expect(got).toBe(parts.reduce((sum, { receives }) => sum + receives, 0n))
      expect(got >= wanted && got <= wanted + slack).toBe(true)
      expect(new Set(parts.map(({ note }) => note.id)).size).toBe(parts.length)
      for (const { note, withdraws, feeBps } of parts) {
        expect(withdraws <= note.value && withdraws >= (terms.leastAmount ?? 0n)).toBe(true)
        expect(feeBps).toBe(terms.feeBps(withdraws))
        expect(feeBps <= terms.maxFeeBps).toBe(true)
      }
    }),
    { numRuns: wallets },
  )
}
