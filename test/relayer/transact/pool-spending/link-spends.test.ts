import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { SeenSpend, Suspect, Trace } from '../../../deep/linker/evidence.ts'
import { linkSpends, scoreOf, type Way } from '../../../deep/linker/link-spends.ts'

const ACCOUNTS = 10
const SPENDS = 50

const start = Date.parse('2026-01-01T00:00:00Z')
const suspects = Array.from({ length: ACCOUNTS }, (_, place): Suspect => {
  const names = [String(10n ** 40n + BigInt(place))]
  return { accountId: randomUUID(), names }
})
const spends = Array.from({ length: SPENDS }, (_, place): SeenSpend => ({
  nullifierHash: String(10n ** 50n + BigInt(place)),
  newCommitment: String(10n ** 60n + BigInt(place)),
  txHash: `0x${(place + 1).toString(16).padStart(64, '0')}`,
}))
const suspectOf = (spend: number) => suspects[(spend * 7) % ACCOUNTS]!
const owners = spends.map((_, place) => suspectOf(place).accountId)

const traceOf = (more: Partial<Trace>): Trace => ({
  source: 'row',
  text: '',
  times: [],
  written: null,
  ...more,
})
/** What the chain shows and no account is joined with. */
const harmless = [
  ...spends.map(({ nullifierHash }, place) =>
    traceOf({
      text: `{"nullifier_hash": ${nullifierHash}}`,
      times: [start + place * 60_000],
      written: 1_000 + place,
    }),
  ),
  ...suspects.map(({ accountId, names }, place) =>
    traceOf({ text: `{"account_id": "${accountId}", "label": ${names[0]}}`, written: place }),
  ),
]
const score = (traces: readonly Trace[], way: Way) =>
  scoreOf(
    linkSpends(traces, suspects, spends).map((guess) => guess[way]),
    owners,
  )

it('the linker finds nothing in rows that join no spend with an account', () => {
  for (const way of ['ids', 'time'] as const) expect(score(harmless, way)).toBeCloseTo(1 / ACCOUNTS)
  expect(score(harmless, 'all')).toBeLessThan(0.2)
})

it.each<[string, Way, (place: number) => Trace[]]>([
  [
    'an id that a row of the spend and one of the account share',
    'ids',
    (place) => {
      const shared = randomUUID()
      return [
        traceOf({ text: `{"request": "${shared}", "nullifier_hash": ${spends[place]!.nullifierHash}}` }),
        traceOf({ text: `{"quote": "${shared}", "account_id": "${suspectOf(place).accountId}"}` }),
      ]
    },
  ],
  [
    'an amount that the account and the withdrawal share',
    'ids',
    (place) => [
      traceOf({ text: `{"value": ${10n ** 18n + BigInt(place)}, "tx_hash": "${spends[place]!.txHash}"}` }),
      traceOf({
        text: `{"planned": "${10n ** 18n + BigInt(place)}", "owner": "${suspectOf(place).accountId}"}`,
      }),
    ],
  ],
  [
    'a moment at which the account did something',
    'time',
    (place) => [traceOf({ text: suspectOf(place).accountId, times: [start + place * 60_000 - 900] })],
  ],
  [
    'the order in which the database wrote',
    'order',
    (place) => [traceOf({ text: suspectOf(place).accountId, written: 1_000 + place - 0.5 })],
  ],
])('the linker finds %s', (_, way, leak) => {
  const traces = [...harmless, ...spends.flatMap((_spend, place) => leak(place))]
  expect(score(traces, way)).toBe(1)
  expect(score(traces, 'all')).toBeGreaterThan(0.5)
})
