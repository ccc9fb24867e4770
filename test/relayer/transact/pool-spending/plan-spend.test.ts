import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RelayTerms } from '../../../../relayer/pool/relay/withdrawals.ts'
import {
  MAX_NOTES,
  planSpend,
  receivedOf,
  withdrawalFor,
  type SpendableNote,
} from '../../../../relayer/transact/pool-spending/plan-spend.ts'

/** Terms by the published formula: base + floor(10000 · gas cost / amount). */
function termsOf({
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
const TERMS = termsOf({ base: 10n, gasCost: 100n, max: 500n, least: 1_000n })
const notesOf = (...values: bigint[]): SpendableNote[] =>
  values.map((value, depositIndex) => ({ id: String(depositIndex), value, depositIndex }))
const idsOf = (plan: ReturnType<typeof planSpend>) =>
  plan.kind === 'planned' ? plan.parts.map(({ note }) => note.id) : plan.kind

describe('the plan of a spend from a pool', () => {
  it('takes the smallest note that suffices and keeps a spendable rest', () => {
    expect(idsOf(planSpend(notesOf(1_000_000n, 50_000n, 20_000n), 10_000n, TERMS))).toEqual(['2'])
    // The rest of the smaller one could not be spent by itself.
    expect(idsOf(planSpend(notesOf(50_000n, 10_700n), 10_000n, TERMS))).toEqual(['0'])
  })

  it('takes a note that is emptied before one whose rest would be lost', () => {
    const exact = withdrawalFor(10_000n, TERMS, TERMS.leastAmount ?? 0n) ?? 0n
    expect(idsOf(planSpend(notesOf(exact + 5n, exact), 10_000n, TERMS))).toEqual(['1'])
  })

  it('spends several notes in equal parts only where none suffices alone', () => {
    const plan = planSpend(notesOf(100_000n, 90_000n, 80_000n), 150_000n, TERMS)
    expect(plan).toMatchObject({ kind: 'planned' })
    if (plan.kind !== 'planned') return
    expect(plan.parts.map(({ receives }) => receives >= 75_000n && receives < 75_020n)).toEqual([true, true])
  })

  it('says what is missing: the funds, the fees, or the size', () => {
    expect(planSpend(notesOf(5n), 6n, TERMS)).toEqual({ kind: 'too-little', available: 5n })
    expect(planSpend(notesOf(10_000n), 9_999n, TERMS)).toMatchObject({ kind: 'fees-exceed' })
    expect(planSpend(notesOf(10_000n), 5n, TERMS)).toMatchObject({ kind: 'too-small' })
    expect(planSpend(notesOf(10_000n), 5n, { ...TERMS, leastAmount: null })).toMatchObject({
      minAmount: null,
    })
    expect(planSpend([], 'max', TERMS)).toEqual({ kind: 'too-little', available: 0n })
  })

  it('empties at most eight notes for the most that can be sent', () => {
    const values = Array.from({ length: 12 }, (_, place) => 100_000n + BigInt(place))
    const plan = planSpend(notesOf(...values), 'max', TERMS)
    expect(plan).toMatchObject({ kind: 'planned' })
    if (plan.kind !== 'planned') return
    expect(plan.parts).toHaveLength(MAX_NOTES)
    expect(plan.parts.every(({ note, withdraws }) => withdraws === note.value)).toBe(true)
  })

  it('gives recipients of random wallets what they are to get, at most a basis point more, and breaks no bound', () => {
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
      { numRuns: Number(process.env['SPEND_WALLETS'] ?? 1_000) },
    )
  })
})
