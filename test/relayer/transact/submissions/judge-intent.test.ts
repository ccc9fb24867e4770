import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  judgeIntent,
  maySend,
  VERDICTS,
  weighEvidence,
  type Evidence,
  type QueuePlace,
} from '../../../../relayer/transact/submissions/judge-intent.ts'

const MAX_ATTEMPTS = 5

/** How an intent behaves in simulation and when it is mined. */
interface Nature {
  /** Its simulation fails. */
  failsBefore: boolean
  /** Reverts the whole transaction. */
  failsLater: boolean
  contracts: boolean
}

interface Intent extends Nature {
  place: QueuePlace
  end: 'succeeded' | 'failed' | null
  attempts: number
  wasMined: boolean
  /** Transactions that it reverted at our cost. */
  burnt: number
}

const asQueued = ({ contracts, ...intent }: Intent) => ({ ...intent, contracts: contracts ? [] : null })

const isHonest = ({ failsBefore, failsLater }: Nature) => !failsBefore && !failsLater

function conclude(intent: Intent, evidence: Evidence): void {
  const verdict = judgeIntent(intent.place, evidence)
  if (verdict.does === 'succeed') intent.end = 'succeeded'
  else if ('attempts' in verdict) intent.attempts += verdict.attempts
  else intent.end = 'failed'
}

/** One round of the queue: due intents are simulated, batched, and mined or abandoned. */
function look(intents: readonly Intent[], isGivenUp: (transaction: readonly Intent[]) => boolean): void {
  const waiting = intents.filter(({ end }) => end === null)
  const failing = waiting.filter((intent) => intent.failsBefore || !maySend(asQueued(intent), MAX_ATTEMPTS))
  const sent = waiting.filter((intent) => !failing.includes(intent))
  const goesAlone = ({ attempts, contracts }: Intent) => attempts > 0 || contracts
  const together = sent.filter((intent) => !goesAlone(intent))
  const transactions = [...sent.filter(goesAlone).map((intent) => [intent]), together]
  for (const transaction of transactions) {
    const isLost = isGivenUp(transaction)
    const reverts = transaction.some(({ failsLater }) => failsLater)
    for (const intent of transaction) {
      intent.place = 'under-way'
      conclude(intent, isLost ? 'not-sent' : reverts ? 'left-untouched' : 'succeeded')
      intent.place = 'exposed'
      intent.wasMined ||= !isLost
      if (!isLost && intent.failsLater) intent.burnt += 1
    }
  }
  const facts = { execution: null, isBesideUnsettled: false, isMined: false, hasExpired: false }
  for (const intent of failing) conclude(intent, weighEvidence(facts, intent.attempts, MAX_ATTEMPTS))
}

const natures = fc.array(
  fc.record({ failsBefore: fc.boolean(), failsLater: fc.boolean(), contracts: fc.boolean() }),
  { minLength: 1, maxLength: 8 },
)

test('an honest intent is executed beside any others, and a failing one costs a bounded number of transactions', () => {
  fc.assert(
    fc.property(natures, fc.array(fc.boolean(), { maxLength: 3 }), (those, lost) => {
      const intents = those.map((nature): Intent => ({
        ...nature,
        place: 'unseen',
        end: null,
        attempts: 0,
        wasMined: false,
        burnt: 0,
      }))
      for (let round = 0; round < 3 * MAX_ATTEMPTS; round += 1) look(intents, () => lost[round] ?? false)
      for (const intent of intents) {
        if (isHonest(intent)) expect(intent.end).toBe('succeeded')
        else expect(intent.end).not.toBe('succeeded')
        // An intent that no node has seen ends at once; one that others may execute ends at its expiry.
        if (intent.place === 'unseen') expect(intent.end).not.toBe(null)
        expect(intent.burnt).toBeLessThanOrEqual(intent.contracts ? 1 : MAX_ATTEMPTS)
        if (intent.end === null) {
          conclude(intent, 'expired')
          expect(intent.end).toBe('failed')
        }
      }
    }),
    { numRuns: 2_000 },
  )
})

const facts = fc.record({
  execution: fc.option(
    fc.record({
      isFinal: fc.boolean(),
      state: fc.constantFrom('succeeded' as const, 'burnt' as const, 'untouched' as const),
    }),
  ),
  isBesideUnsettled: fc.boolean(),
  isMined: fc.boolean(),
  hasExpired: fc.boolean(),
})

test('no intent ends while a block that is not final has it, or its transaction, or while others may execute it in time', () => {
  fc.assert(
    fc.property(
      facts,
      fc.constantFrom('unseen' as const, 'exposed' as const, 'under-way' as const),
      fc.nat(2 * MAX_ATTEMPTS),
      (found, place, tried) => {
        const evidence = weighEvidence(found, place === 'under-way' ? null : tried, MAX_ATTEMPTS)
        const { does } = judgeIntent(place, evidence)
        const isOpen = found.isMined || (found.execution && !found.execution.isFinal)
        if (isOpen) expect(does).toBe('look-again')
        if (does === 'succeed') expect(found.execution).toMatchObject({ isFinal: true, state: 'succeeded' })
        if (does === 'fail' && place !== 'unseen') expect(found.execution?.isFinal).toBe(true)
        if (does === 'expire') expect(found).toMatchObject({ execution: null, hasExpired: true })
      },
    ),
  )
})

test('an intent does not lose its last attempt because another of its quote was executed in a block that is not final', () => {
  const found = { execution: null, isBesideUnsettled: true, isMined: false, hasExpired: false }
  for (const place of ['unseen', 'exposed'] as const)
    expect(judgeIntent(place, weighEvidence(found, MAX_ATTEMPTS - 1, MAX_ATTEMPTS))).toEqual({
      does: 'look-again',
      attempts: 0,
    })
})

test('an attempt is counted where an intent was tried, and nowhere else', () => {
  const counted = Object.entries(VERDICTS).flatMap(([place, row]) =>
    Object.entries(row).flatMap(([evidence, verdict]) =>
      'attempts' in verdict && verdict.attempts === 1 ? [`${place}: ${evidence}`] : [],
    ),
  )
  expect(counted).toEqual([
    'unseen: failing',
    'exposed: failing',
    'exposed: failing-too-often',
    'under-way: left-untouched',
    'under-way: not-sent',
  ])
})
