import { describe, expect, test } from 'vitest'
import {
  judgeAddress,
  judgeAsset,
  namesWhatHappened,
} from '../../../../relayer/account/deposit-review/judge-review.ts'
import type { DepositFact } from '../../../../relayer/account/deposit-review/review-facts.ts'

const at = (seconds: number) => new Date(seconds * 1_000)
const deposit = (status: DepositFact['status'], seconds = 20, isUnderWay = false): DepositFact => ({
  commitmentId: null,
  status,
  txHash: null,
  amount: 1n,
  updatedAt: at(seconds),
  isUnderWay: isUnderWay || status === 'submitted' || status === 'pending',
})
const judge = (available: bigint, deposits: readonly DepositFact[], locked = 0n) =>
  judgeAsset({ available, locked, lastReceivedAt: at(10), deposits })

describe('an asset', () => {
  test('needs review while something is left, also if a quote has it', () => {
    expect(judge(5n, [])).toEqual({ status: 'needsReview', reason: 'new_funds' })
    expect(judge(0n, [], 5n)).toEqual({ status: 'needsReview', reason: 'new_funds' })
  })

  test('leaves the review when its funds went another way, and is done once a deposit stands', () => {
    expect(judge(0n, [])).toBeNull()
    expect(judge(0n, [deposit('recovered'), deposit('failed')])).toBeNull()
    expect(judge(0n, [deposit('approved')])).toEqual({ status: 'done', reason: null })
    expect(judge(1n, [deposit('approved')])).toEqual({ status: 'needsReview', reason: 'new_funds' })
  })

  test('is in progress from submission until the decision, and while it is recovered', () => {
    for (const status of ['submitted', 'pending'] as const) {
      expect(judge(5n, [deposit('declined'), deposit(status)])?.status).toBe('inProgress')
    }
    expect(judge(0n, [deposit('declined', 20, true)])?.status).toBe('inProgress')
  })

  test('the review gives the last event: declined, failed, recovered, or newer funds', () => {
    expect(judge(0n, [deposit('declined')])?.reason).toBe('deposit_declined')
    expect(judge(5n, [deposit('failed')])?.reason).toBe('deposit_failed')
    expect(judge(5n, [deposit('failed', 30), deposit('recovered', 20)])?.reason).toBe('deposit_failed')
    expect(judge(5n, [deposit('failed', 20), deposit('recovered', 30)])?.reason).toBe('recovered')
    expect(judge(5n, [deposit('recovered', 10)])?.reason).toBe('recovered')
    expect(judge(5n, [deposit('failed', 9), deposit('recovered', 9)])?.reason).toBe('new_funds')
  })
})

describe('an address', () => {
  const nothing = { isHeld: false, isUnderWay: false, isDeclined: false, isApproved: false, isSkipped: false }
  const judgeAs = (facts: Partial<typeof nothing>) => judgeAddress({ ...nothing, ...facts })

  test('stands as the asset that asks for the most', () => {
    expect(judgeAs({})).toBeNull()
    expect(judgeAs({ isApproved: true, isHeld: true })).toBe('needsReview')
    expect(judgeAs({ isApproved: true, isDeclined: true })).toBe('needsReview')
    expect(judgeAs({ isApproved: true, isHeld: true, isUnderWay: true })).toBe('inProgress')
    expect(judgeAs({ isApproved: true })).toBe('done')
  })

  test('is skipped only while it would need review', () => {
    expect(judgeAs({ isHeld: true, isSkipped: true })).toBe('skipped')
    expect(judgeAs({ isDeclined: true, isSkipped: true })).toBe('skipped')
    expect(judgeAs({ isUnderWay: true, isSkipped: true })).toBe('inProgress')
    expect(judgeAs({ isApproved: true, isSkipped: true })).toBe('done')
    expect(judgeAs({ isSkipped: true })).toBeNull()
  })

  test('accepts no skip of a later time or a larger count than it has', () => {
    const seen = { lastReceivedAt: at(10), rawReceiveCount: 3 }
    expect(namesWhatHappened(seen, seen)).toBe(true)
    expect(namesWhatHappened({ lastReceivedAt: at(9), rawReceiveCount: 0 }, seen)).toBe(true)
    expect(namesWhatHappened({ ...seen, rawReceiveCount: 4 }, seen)).toBe(false)
    expect(namesWhatHappened({ ...seen, lastReceivedAt: new Date(10_001) }, seen)).toBe(false)
  })
})
