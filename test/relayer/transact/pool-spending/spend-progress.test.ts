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
/** The newest final block. */
const FINAL = 7n

/** A submitted spend of this many notes; note n has the nullifierHash n and change 100 + n. */
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
  // The members that these tests read.
  const spent: Partial<SpentNote> = {
    nullifierHash,
    withdrawn: WITHDRAWS,
    newCommitment: BigInt(100 + place),
    blockNumber: FINAL,
    ...changes,
  }
  return [nullifierHash, spent as SpentNote]
}
const factsOf = (
  spent: readonly [bigint, SpentNote][],
  {
    relayed = [],
    now = 0,
    indexedUntil = now,
  }: Partial<Omit<SpendFacts, 'relayed'>> & { relayed?: bigint[] } = {},
): SpendFacts => ({
  spent: new Map(spent),
  relayed: new Set(relayed),
  finalBlock: FINAL,
  indexedUntil,
  now,
})
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

  it('has failed once its time is over, in part where some notes were spent, and is stuck while one is pending', () => {
    const late = { now: UNTIL }
    expect(standing(spendOf(2), factsOf([], late))).toEqual(['failed', 'failed'])
    expect(standing(spendOf(2), factsOf([asTold(1)], late))).toEqual(['partial', 'failed'])
    expect(standing(spendOf(2), factsOf([asTold(1)], { ...late, relayed: [0n, 1n] }))).toEqual([
      'pending',
      'stuck',
    ])
  })

  it('is seen although it was relayed after its time, and no more once a reorg took it back', () => {
    const late = { now: UNTIL + 1 }
    expect(standing(spendOf(1), factsOf([asTold(0)], late))).toEqual(['succeeded', 'confirmed'])
    expect(standing(spendOf(1), factsOf([], late))).toEqual(['failed', 'failed'])
  })

  it('needs manual review where a note was spent for another change or another amount', () => {
    for (const changes of [{ newCommitment: 5n }, { withdrawn: WITHDRAWS + 1n }])
      expect(standing(spendOf(2), factsOf([asTold(0, changes)]))).toEqual(['manual_review', 'manual_review'])
  })

  it('stays pending until every block that decides about it is final', () => {
    const recent = { blockNumber: FINAL + 1n }
    expect(standing(spendOf(1), factsOf([asTold(0, recent)]))).toEqual(['pending', 'pending'])
    expect(standing(spendOf(2), factsOf([asTold(0), asTold(1, recent)]))).toEqual(['pending', 'pending'])
    const otherwise = asTold(0, { ...recent, newCommitment: 5n })
    expect(standing(spendOf(1), factsOf([otherwise]))).toEqual(['pending', 'pending'])
    expect(standing(spendOf(1), factsOf([otherwise], { now: UNTIL }))).toEqual(['pending', 'pending'])
  })

  it('does not fail before the chain is indexed up to its deadline', () => {
    const behind = { now: UNTIL + 5, indexedUntil: UNTIL - 1 }
    expect(standing(spendOf(1), factsOf([], behind))).toEqual(['pending', 'queued'])
    expect(standing(spendOf(2), factsOf([asTold(1)], behind))).toEqual(['pending', 'pending'])
  })
})
