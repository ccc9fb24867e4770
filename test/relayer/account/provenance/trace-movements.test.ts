import { describe, expect, it } from 'vitest'
import { explainHolding } from '../../../../relayer/account/provenance/explain-origin.ts'
import { MAX_LOTS } from '../../../../relayer/account/provenance/lots.ts'
import { MAX_SOURCES } from '../../../../relayer/account/provenance/movements.ts'
import { describeRandomHistories } from './describe-random-histories.ts'
import {
  A,
  addressOf,
  B,
  explain,
  isOwn,
  move,
  receive,
  relay,
  T,
  traceMovements,
  transaction,
  U,
} from './histories.ts'

const paid = transaction(1, [move('x', 'A', 10)])

describe('the origin of a holding', () => {
  it('money from outside is a source at the address that it arrives at', () => {
    expect(explain([paid], A)).toMatchObject({
      reason: 'fresh_receive',
      sources: [receive(A)],
      association: { status: 'clean' },
      mixGroup: 'untagged',
      parts: [{ receipt: { chainId: 1, txHash: paid.txHash, index: 0 } }],
    })
  })

  it('a move within an account keeps its source', () => {
    expect(explain([paid, transaction(2, [move('A', 'B', 4)])], B)).toMatchObject({
      reason: 'carried_source',
      sources: [receive(A)],
      association: { status: 'clean' },
      actions: ['SELF'],
    })
  })

  it('moving joins both addresses for good, forwards and backwards', () => {
    const history = [paid, transaction(2, [move('y', 'B', 3)]), transaction(3, [move('A', 'B', 4)])]
    const linked = { status: 'linked', sources: [receive(A), receive(B)] }
    expect(explain(history, B)).toMatchObject({ reason: 'mixed_current_outputs', association: linked })
    expect(explain(history, A)).toMatchObject({
      reason: 'fresh_receive',
      sources: [receive(A)],
      association: linked,
    })
    const gone = [...history, transaction(4, [move('B', 'z', 7)]), transaction(5, [move('w', 'B', 1)])]
    expect(explain(gone, B)).toMatchObject({ sources: [receive(B)], association: linked })
  })

  it("a swap's output carries the source of its input", () => {
    const swap = [move('A', 'pool', 10), move('pool', 'A', 7, { token: U })]
    expect(explain([paid, transaction(2, swap, { action: 'SWAP' })], A, { token: U })).toMatchObject({
      reason: 'platform_action_output',
      sources: [receive(A)],
      actions: ['SWAP'],
    })
  })

  it("a bridge's delivery on another chain carries the source of the departed funds, by the quote of both", () => {
    const left = transaction(2, [move('A', 'bridge', 10)], {
      departs: ['q'],
      action: 'BRIDGE',
    })
    const arrived = transaction(3, [move('filler', 'B', 9)], {
      delivers: [{ orderId: 'q', to: B }],
      action: 'BRIDGE',
      chainId: 10,
    })
    const trace = traceMovements([paid, left, arrived], isOwn)
    const asked = { chainId: 10, address: B, token: T, held: 9n, unresolved: [] }
    expect(explainHolding(trace, asked)).toMatchObject({
      reason: 'platform_action_output',
      sources: [receive(A)],
      association: { status: 'clean' },
    })
    // A delivery by another quote does not.
    const strange = traceMovements([paid, left, { ...arrived, delivers: [], action: null }], isOwn)
    expect(explainHolding(strange, asked)).toMatchObject({ reason: 'fresh_receive', sources: [receive(B)] })
  })

  it('a payment out of a pool is a source of its own, which is joined with nothing', () => {
    const history = [
      paid,
      transaction(2, [move('A', 'entrypoint', 10)]),
      transaction(3, [move('entrypoint', 'B', 5)], relay),
    ]
    expect(explain(history, B)).toMatchObject({
      reason: 'platform_action_output',
      sources: [`private:${B}`],
      actions: ['INCOGNITO_SELF_SEND'],
      association: { status: 'clean', sources: [`private:${B}`] },
      mixGroup: `private:${B}`,
    })
    const forged = transaction(3, [move('entrypoint', 'B', 4)], relay)
    expect(explain([paid, forged], B)).toMatchObject({ reason: 'fresh_receive', mixGroup: 'untagged' })
  })

  it('an unsolicited receipt is counted and is no source', () => {
    const history = [
      transaction(3, [move('entrypoint', 'B', 5)], relay),
      transaction(4, [move('dust', 'B', 1, { isUnsolicited: true })]),
    ]
    expect(explain(history, B)).toMatchObject({
      reason: 'platform_action_output',
      sources: [`private:${B}`],
      association: { status: 'clean', unsolicitedCount: 1 },
      mixGroup: `private:${B}`,
    })
  })

  it('spending together joins a private address with another', () => {
    const history = [
      transaction(3, [move('entrypoint', 'B', 5)], relay),
      transaction(4, [move('x', 'A', 9)]),
      transaction(5, [move('A', 'm', 9), move('B', 'm', 5)]),
    ]
    expect(explain(history, B)).toMatchObject({
      parts: [],
      association: { status: 'linked', sources: [`private:${B}`, receive(A)] },
      mixGroup: `private:${B}`,
    })
  })

  it('a deposit that is taken back has the sources that it went in with', () => {
    const history = [
      paid,
      transaction(2, [move('A', 'entrypoint', 10)]),
      transaction(3, [move('p', 'A', 10)], { recovered: [{ depositor: A, depositedBy: '1:2' }] }),
    ]
    expect(explain(history, A)).toMatchObject({
      reason: 'carried_source',
      sources: [receive(A)],
      actions: ['POOL_RECOVER'],
      association: { status: 'clean' },
    })
  })

  it('an excess over the known arrivals is older, and joined with unknown addresses', () => {
    expect(explain([paid], A, { held: 15n })).toMatchObject({
      reason: 'mixed_current_outputs',
      sources: [receive(A)],
      olderCount: 1,
    })
    expect(explain([], A, { held: 15n })).toMatchObject({ reason: 'older_funds', sources: [], olderCount: 1 })
    const spent = [transaction(1, [move('A', 'B', 5)])]
    expect(explain(spent, B)).toMatchObject({ association: { status: 'unknown' }, mixGroup: `unknown:${B}` })
  })

  it('an unknown origin is unavailable instead of guessed', () => {
    expect(explain([paid], A, { unresolved: ['history_incomplete'] })).toMatchObject({
      reason: 'unavailable',
      sources: [],
      parts: [],
      association: { status: 'unknown', sources: [] },
      mixGroup: `unknown:${A}`,
    })
  })

  it('first in is first out, and of a transaction only the net counts', () => {
    const history = [paid, transaction(2, [move('y', 'A', 10)]), transaction(3, [move('A', 'z', 10)])]
    const [part, ...others] = explain(history, A).parts
    expect(others).toEqual([])
    expect(part).toMatchObject({ amount: 10n, receipt: { txHash: history[1]!.txHash } })
    const net = explain([transaction(1, [move('x', 'A', 10), move('A', 'x', 3)])], A)
    expect(net).toMatchObject({ reason: 'fresh_receive', parts: [{ amount: 7n }] })
  })

  it('a transaction that a reorg drops leaves no trace', () => {
    const history = [paid, transaction(2, [move('y', 'B', 3)]), transaction(3, [move('A', 'B', 4)])]
    expect(explain(history, B).association.status).toBe('linked')
    expect(explain(history.slice(0, 2), B)).toMatchObject({
      sources: [receive(B)],
      association: { status: 'clean', sources: [receive(B)] },
    })
  })

  it('many receipts are bounded without losing amount or source', () => {
    const { parts, sources, reason } = explain(
      Array.from({ length: 500 }, (_, id) => transaction(id, [move('x', 'A', 1)])),
      A,
    )
    expect(parts).toHaveLength(MAX_LOTS)
    expect(parts.reduce((sum, { amount }) => sum + amount, 0n)).toBe(500n)
    expect([reason, sources]).toEqual(['fresh_receive', [receive(A)]])
  })

  it("any amount of dust leaves a pool's payment as it was", () => {
    const paidOut = transaction(1, [move('entrypoint', 'A', 5)], relay)
    const dust = Array.from({ length: 200 }, (_, id) =>
      transaction(id + 2, [move('x', 'A', 1, { isUnsolicited: true })]),
    )
    expect(explain([paidOut, ...dust], A)).toMatchObject({
      reason: 'platform_action_output',
      sources: [`private:${A}`],
      association: { status: 'clean', unsolicitedCount: 200 },
    })
  })

  it('a holding from more sources than the answer distinguishes is unknown', () => {
    const names = Array.from({ length: MAX_SOURCES + 1 }, (_, place) => `own ${place}`)
    const history = names.flatMap((name, place) => [
      transaction(2 * place, [move('x', name, 1)]),
      transaction(2 * place + 1, [move(name, 'A', 1)]),
    ])
    const own = new Set([A, ...names.map(addressOf)])
    const few = traceMovements(history.slice(0, -2), (address) => own.has(address))
    expect(explainHolding(few, { chainId: 1, address: A, token: T, held: 64n })).toMatchObject({
      reason: 'mixed_current_outputs',
      sources: { length: MAX_SOURCES },
      association: { status: 'linked' },
    })
    const trace = traceMovements(history, (address) => own.has(address))
    expect(explainHolding(trace, { chainId: 1, address: A, token: T, held: 65n })).toMatchObject({
      association: { status: 'unknown', unresolved: ['too_many_sources'] },
      mixGroup: `unknown:${A}`,
    })
  })
})

describeRandomHistories(300)
