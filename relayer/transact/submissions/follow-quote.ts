import { isDeepStrictEqual } from 'node:util'
import { untilEvenTime } from '../../concurrency/even-times.ts'
import { shareReadings } from '../../concurrency/coalesce-runs.ts'
import type { RelayStatus } from '../transact.ts'
import { hasNoOpenCash, cashProgressOf } from '../cash-orders/cash-state.ts'
import { quoteNotFound } from '../errors.ts'
import { hasNoOpenOrder, progressOf } from '../orders/order-state.ts'
import { isEnd, isState } from '../quotes/quote-machine.ts'
import type { DatabasePool } from 'slonik'
import { readRelayProgress, type RelayProgressRow } from '../../../db/transact/intents-progress.ts'

/**
 * Interval for reading a quote without a notification: other instances' verdicts and the passing of time cause none.
 */
const LOOK_AGAIN_MS = 1_000

/** The other statuses are steps of `submitted`. */
const hasLeft = (status: RelayStatus['status']): boolean =>
  status === 'manual_review' || (isState(status) && isEnd(status))

/** True if a quote's status is final, and its order or cash-out, if any, has ended. */
export const hasEnded = ({ status, bridge, offRamp }: RelayStatus) =>
  hasLeft(status) && hasNoOpenOrder(bridge) && hasNoOpenCash(offRamp)

/**
 * Creates the follower of quotes; all followers of one quote share each read. It yields the present status, then each that
 * differs from the last, until the quote has ended or the signal is aborted. It throws ServiceError `not-found` for an
 * unknown quote. `isNew`: the quote was submitted just now, and nothing is read before its first notification.
 */
export function createQuoteFollower(
  board: QuoteBoard,
  read: (accountId: string, quoteId: string) => Promise<RelayStatus | null>,
): (accountId: string, quoteId: string, signal: AbortSignal, isNew?: boolean) => AsyncGenerator<RelayStatus> {
  const share = shareReadings<RelayStatus | null>()
  return (accountId, quoteId, signal, isNew = false) =>
    follow(
      board,
      quoteId,
      (since) => share(`${accountId} ${quoteId}`, since, () => read(accountId, quoteId)),
      signal,
      isNew,
    )
}

async function* follow(
  board: QuoteBoard,
  quoteId: string,
  read: (since: number) => Promise<RelayStatus | null>,
  signal: AbortSignal,
  isNew: boolean,
): AsyncGenerator<RelayStatus> {
  let toldAt = isNew ? null : performance.now()
  let wake = () => {}
  const tell = (at: number) => {
    toldAt = at
    wake()
  }
  const unlisten = board.listen(quoteId, tell)
  const onAbort = () => wake()
  signal.addEventListener('abort', onAbort)
  let last: RelayStatus | null = null
  try {
    while (!signal.aborted) {
      if (toldAt === null)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, untilEvenTime(LOOK_AGAIN_MS))
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      if (signal.aborted) return
      // Without a notification, all followers wake at the same even time.
      const since = toldAt ?? performance.now() - LOOK_AGAIN_MS / 2
      toldAt = null
      const status = await read(since)
      if (signal.aborted) return
      if (!status) throw quoteNotFound()
      if (!last || differs(status, last)) {
        last = status
        yield status
        if (hasEnded(status)) return
      }
    }
  } finally {
    unlisten()
    signal.removeEventListener('abort', onAbort)
  }
}

const differs = (one: RelayStatus, other: RelayStatus) =>
  !isDeepStrictEqual({ ...one, updatedAt: null }, { ...other, updatedAt: null })

/** Notifications about quotes within this instance. They name the quote, not the change, which is in the database. */
export class QuoteBoard {
  readonly #listeners = new Map<string, Set<(toldAt: number) => void>>()

  /** Notifies listeners that the quotes have changed. A property, because callers pass it as a callback. */
  readonly tell = (quoteIds: readonly string[]): void => {
    const toldAt = performance.now()
    for (const quoteId of quoteIds)
      for (const listener of this.#listeners.get(quoteId) ?? []) listener(toldAt)
  }

  /** True if there is any listener. */
  isHeard(): boolean {
    return this.#listeners.size > 0
  }

  /** Calls the listener with the time by `performance.now()`. @returns the function that ends it. */
  listen(quoteId: string, listener: (toldAt: number) => void): () => void {
    const those = this.#listeners.get(quoteId) ?? new Set()
    this.#listeners.set(quoteId, those.add(listener))
    return () => {
      those.delete(listener)
      if (those.size === 0 && this.#listeners.get(quoteId) === those) this.#listeners.delete(quoteId)
    }
  }
}

/**
 * Returns the status for clients: queued until a node accepted a transaction, then pending; stuck if that lasts too
 * long.
 */
export function relayStatusOf(
  { status, submittedAt, dueAt, txHash, minedBlock }: RelayProgressRow,
  stuckAfterMs: number,
): RelayStatus['status'] {
  if (status !== 'submitted') return status
  const due = Math.max(submittedAt?.getTime() ?? Infinity, dueAt?.getTime() ?? 0)
  const isLate = Date.now() - due > stuckAfterMs
  if (isLate && minedBlock === null) return 'stuck'
  return txHash === null ? 'queued' : 'pending'
}

/** Returns the relay status for clients. A submitted quote without progress for `stuckAfterMs` counts as stuck. */
function describeRelay(row: RelayProgressRow, stuckAfterMs: number): RelayStatus {
  const hasEnded = row.status === 'confirmed' || row.status === 'failed'
  return {
    quoteId: row.quoteId,
    status: relayStatusOf(row, stuckAfterMs),
    txHash: row.txHash,
    confirmedTxHash: hasEnded ? row.succeededHash : null,
    error: row.failure,
    updatedAt: row.updatedAt,
    bridge: progressOf(row.order),
    offRamp: cashProgressOf(row.cash),
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns null when the account has no such quote. */
export async function readRelayStatus(
  database: DatabasePool,
  accountId: string,
  quoteId: string,
  stuckAfterMs: number,
): Promise<RelayStatus | null> {
  const [row] = UUID.test(quoteId) ? await readRelayProgress(database, accountId, [quoteId]) : []
  return row ? describeRelay(row, stuckAfterMs) : null
}
