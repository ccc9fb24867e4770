import { describe, expect, it } from 'vitest'
import type { SpentNote } from '../../../../db/pool/book/note-progress.ts'
import type { ToldSpend } from '../../../../relayer/pool/book/book-content.ts'
import {
  executionOf,
  spendStatusOf,
  type SpendFacts,
} from '../../../../relayer/transact/pool-spending/spend-progress.ts'

const UNTIL = 1_000
const WITHDRAWS = 40n

/** A submitted spend of so many notes; note n has the nullifierHash n and change 100 + n. */
const spendOf = (count: number): ToldSpend => ({
  id: 'spend',
  kind: 'incognito_send',
  receives: 35n,
  fee: 5n,
  until: UNTIL,
  isUnlocked: false,
  parts: Array.from({ length: count }, (_, place) => ({
    label: BigInt(place),
    withdrawalIndex: 0,
    value: 100n,
    withdraws: WITHDRAWS,
    spentBy: { nullifierHash: BigInt(place), newCommitment: BigInt(100 + place) },
  })),
})
const asTold = (place: number, changes: Partial<SpentNote> = {}): [bigint, SpentNote] => {
  const nullifierHash = BigInt(place)
  // All that is looked at here.
  const spent: Partial<SpentNote> = {
    nullifierHash,
    withdrawn: WITHDRAWS,
    newCommitment: BigInt(100 + place),
    ...changes,
  }
  return [nullifierHash, spent as SpentNote]
}
const factsOf = (
  spent: readonly [bigint, SpentNote][],
  { relayed = [], now = 0 }: { relayed?: readonly bigint[]; now?: number } = {},
): SpendFacts => ({ spent: new Map(spent), relayed: new Set(relayed), now })
const standing = (spend: ToldSpend, facts: SpendFacts) => [
  executionOf(spend, facts),
  spendStatusOf(spend, facts),
]

describe('a submitted spend', () => {
  it('is queued, then pending with its first note, and confirmed with its last', () => {
    expect(standing(spendOf(2), factsOf([]))).toEqual(['pending', 'queued'])
    expect(standing(spendOf(2), factsOf([], { relayed: [0n] }))).toEqual(['pending', 'pending'])
    expect(standing(spendOf(2), factsOf([asTold(0)]))).toEqual(['pending', 'pending'])
    expect(standing(spendOf(2), factsOf([asTold(0), asTold(1)]))).toEqual(['succeeded', 'confirmed'])
  })

  it('has failed once its time is over, in part where some notes were spent, and is stuck while one is under way', () => {
    const late = { now: UNTIL }
    expect(standing(spendOf(2), factsOf([], late))).toEqual(['failed', 'failed'])
    expect(standing(spendOf(2), factsOf([asTold(1)], late))).toEqual(['partial', 'failed'])
    expect(standing(spendOf(2), factsOf([asTold(1)], { ...late, relayed: [0n, 1n] }))).toEqual([
      'partial',
      'stuck',
    ])
  })

  it('is seen although it was relayed after its time, and no more once a reorg took it back', () => {
    const late = { now: UNTIL + 1 }
    expect(standing(spendOf(1), factsOf([asTold(0)], late))).toEqual(['succeeded', 'confirmed'])
    expect(standing(spendOf(1), factsOf([], late))).toEqual(['failed', 'failed'])
  })

  it('is to be looked at where a note was spent for another change or another amount', () => {
    for (const changes of [{ newCommitment: 5n }, { withdrawn: WITHDRAWS + 1n }])
      expect(standing(spendOf(2), factsOf([asTold(0, changes)]))).toEqual(['manual_review', 'confirmed'])
  })
})
