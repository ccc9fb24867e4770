import { describe, expect, it } from 'vitest'
import { MAX_NOTES, planSpend, withdrawalFor } from '../../../../relayer/transact/pool-spending/plan-spend.ts'
import { notesOf, randomWalletsStory, termsOf } from './random-wallets-story.ts'

const TERMS = termsOf({ base: 10n, gasCost: 100n, max: 500n, least: 1_000n })
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

  it('names the lack: the funds, the fees, or the size', () => {
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

  it('gives recipients of random wallets their amounts, at most a basis point more, and breaks no bound', () =>
    randomWalletsStory(1_000))
})
