import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { endSubmittedQuotes } from '../../../../db/transact/intents-end.ts'
import { endLockedQuote, type QuoteState } from '../../../../db/transact/quotes.ts'
import {
  isEnd,
  quoteStep,
  stateByClock,
  QUOTE_TRANSITIONS,
  type LifeEvent,
} from '../../../../relayer/transact/quotes/quote-machine.ts'
import { releaseEnded, unlockQuote } from '../../../../relayer/transact/quotes/release-quotes.ts'
import { ServiceError } from '../../../../relayer/service-error.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { seedAccount } from '../../account/seed-account.ts'
import { seedLockedQuote, submitPlainly } from '../submissions/submit-plainly.ts'

const logger = pino({ level: 'silent' })
const states = Object.keys(QUOTE_TRANSITIONS) as QuoteState[]

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const row = z.object({ status: z.string(), hasRecipient: z.boolean() })
const read = (quoteId: string) =>
  database.pool.one(sql.type(row)`
    select status, recipient is not null as "hasRecipient" from quote where id = ${quoteId}`)

/** Writes a quote in that state, by SQL: not every state has a way from `locked` without a chain. */
async function seedIn(state: QuoteState, accountId: string): Promise<string> {
  const quoteId = await seedLockedQuote(database.pool, { accountId })
  const isSubmitted = state === 'submitted' || state === 'confirmed' || state === 'failed'
  await database.pool.query(sql.typeAlias('void')`
    update quote set status = ${state}, ended_at = case when ${isEnd(state)} then now() end,
      submitted_at = case when ${isSubmitted} then now() end,
      failure_code = case when ${state === 'failed'} then 'NOT_EXECUTED' end, failure = case when ${state === 'failed'} then '' end,
      recipient = case when ${isEnd(state) && !isSubmitted} then null else recipient end
    where id = ${quoteId}`)
  return quoteId
}

/** The statement that writes the event's state, as its caller runs it. */
const WRITERS: Record<LifeEvent, (quoteId: string, accountId: string) => Promise<unknown>> = {
  submit: (quoteId, accountId) => submitPlainly(database.pool, { accountId, quoteId, isBare: true }),
  unlock: (quoteId, accountId) => unlockQuote(database.pool, accountId, quoteId),
  replace: (quoteId) => endLockedQuote(database.pool, quoteId, QUOTE_TRANSITIONS.locked.replace.to),
  async 'run-out'(quoteId) {
    await database.pool.query(sql.typeAlias('void')`
      update quote set expires_at = now() - interval '1 second' where id = ${quoteId}`)
    await releaseEnded(database.pool, logger)
  },
  'all-executed': (quoteId) =>
    endSubmittedQuotes(database.pool, [
      { quoteId, state: QUOTE_TRANSITIONS.submitted['all-executed'].to, failure: null },
    ]),
  'some-failed': (quoteId) =>
    endSubmittedQuotes(database.pool, [
      {
        quoteId,
        state: QUOTE_TRANSITIONS.submitted['some-failed'].to,
        failure: { code: 'NOT_EXECUTED', text: '' },
      },
    ]),
}

test('each statement that writes a state of a quote does what the table says, in every state', async () => {
  const { accountId } = await seedAccount(database.pool)
  for (const state of states)
    for (const event of Object.keys(WRITERS) as LifeEvent[]) {
      const quoteId = await seedIn(state, accountId)
      const { to, effect } = QUOTE_TRANSITIONS[state][event]
      const writing = WRITERS[event](quoteId, accountId)
      if (event === 'unlock' && effect === 'refuse') await expect(writing).rejects.toThrow(ServiceError)
      else await writing
      const lapsed = ['unlocked', 'expired', 'replaced'].includes(to)
      expect(await read(quoteId), `${state} × ${event}`).toEqual({ status: to, hasRecipient: !lapsed })
    }
})

test('a quote only goes forward, and its end is final', () => {
  expect(states.filter(isEnd)).toEqual(['confirmed', 'failed', 'unlocked', 'expired', 'replaced'])
  const reached = new Set<QuoteState>()
  const walk = (state: QuoteState): void => {
    reached.add(state)
    for (const { to } of Object.values(QUOTE_TRANSITIONS[state])) if (to !== state) walk(to)
  }
  walk('locked')
  expect(reached).toEqual(new Set(states))
})

test('a locked quote counts as expired once its time is over, before anything writes that', () => {
  expect(() => quoteStep(stateByClock('locked', true), 'submit')).toThrow('This quote has run out')
  expect(stateByClock('locked', false)).toBe('locked')
  expect(stateByClock('submitted', true)).toBe('submitted')
})
