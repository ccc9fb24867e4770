import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { step, TRANSITIONS, type Purpose } from '../../../../relayer/chain/broadcast/nonce-machine.ts'
import type { NonceEvent, NonceState, Step } from '../../../../relayer/chain/broadcast/nonce-terms.ts'
import { drawNonces } from './draw-nonces.ts'
import { walkNonces } from './walk-nonces.ts'

const STATES = Object.keys(TRANSITIONS) as NonceState[]
const EVENTS = Object.keys(TRANSITIONS.queued) as NonceEvent[]
const PURPOSES: readonly Purpose[] = ['call', 'pointless', 'filler']

const isNews = (state: NonceState, event: NonceEvent) => {
  const { effect, to, until } = TRANSITIONS[state][event]
  return effect !== 'wait' || to !== state || until !== state
}

test('whatever nodes, chain and instances do, no work has two chances to be mined and no nonce is lost', () => {
  const seen = new Set<string>()
  walkNonces(1_000, 300, (now, event) => {
    seen.add(`${now.state}, ${event}`)
    return step(now, event)
  })
  // In these states, the nodes have already said where the form is.
  const impossible = new Set([
    'offered, let-go',
    'offered, receipt',
    'refused, accepted',
    'refused, silence',
    'refused, receipt',
    'refused, unknown-too-often',
  ])
  const pairs = STATES.flatMap((state) =>
    EVENTS.filter((event) => isNews(state, event)).map((event) => `${state}, ${event}`),
  )
  expect(pairs.filter((pair) => !seen.has(pair) && !impossible.has(pair))).toStrictEqual([])
})

type Now = Parameters<typeof step>[0]
/** The machine with one wrong transition. */
const spoil =
  (state: NonceState, event: NonceEvent, change: Partial<Step>) =>
  (now: Now, happened: NonceEvent): Step => {
    const found = step(now, happened)
    return now.state === state && happened === event ? { ...found, ...change } : found
  }

test.each([
  [
    'a form that a node may have is given up on a count alone',
    'unheard',
    'nonce-taken',
    { proof: 'counted' },
  ],
  ['a form that a node took is given up unasked', 'sent', 'funds', { proof: 'none' }],
  ['silence counts as a refusal', 'offered', 'silence', { to: 'refused' }],
  ['a form whose block is gone keeps the block', 'mined', 'receipt-gone', { effect: 'wait' }],
  ['a refused form is offered again as refused', 'refused', 'due', { to: 'refused', effect: 'wait' }],
  ['a used nonce is handed out again', 'unheard', 'nonce-taken', { effect: 'free-nonce' }],
] as const)('the walk notices when %s', (_, state, event, change) => {
  expect(() => walkNonces(3_000, 300, spoil(state, event, change))).toThrow()
})

test('from every state that is no end, events lead to an end, whatever the work is for', () => {
  for (const purpose of PURPOSES) {
    for (const start of STATES) {
      const reached = new Set<NonceState>([start])
      for (const state of reached) for (const event of EVENTS) reached.add(step({ state, purpose }, event).to)
      expect([...reached], start).toEqual(
        expect.arrayContaining(
          ['abandoned', 'confirmed', 'reverted'].includes(start) ? [start] : ['confirmed'],
        ),
      )
    }
  }
})

test('an ended row stays as it is, whatever the nodes report', () => {
  for (const state of ['confirmed', 'reverted', 'abandoned'] as const)
    for (const event of EVENTS)
      expect(step({ state, purpose: 'call' }, event)).toMatchObject({ to: state, effect: 'wait' })
})

test('a nonce that a node may use is given up only with a proof', () => {
  for (const state of ['unheard', 'sent'] as const)
    for (const event of EVENTS) {
      const { to, proof } = step({ state, purpose: 'call' }, event)
      if (to === 'queued' || to === 'abandoned')
        expect(['known-nowhere', 'counted-by-another'], `${state}, ${event}`).toContain(proof)
    }
})

test('the picture in nonce-machine.md is that of the table', () => {
  const page = readFileSync(
    new URL('../../../../relayer/chain/broadcast/nonce-machine.md', import.meta.url),
    'utf8',
  )
  expect(page).toContain(`\`\`\`mermaid\n${drawNonces()}\n\`\`\``)
})
