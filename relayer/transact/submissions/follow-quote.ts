import { untilEvenTime } from '../../concurrency/even-times.ts'
import { shareReadings } from '../../concurrency/coalesce-runs.ts'
import type { RelayStatus } from '../transact.ts'
import { hasNoOpenCash, isSameCash } from '../cash-orders/cash-progress.ts'
import { hasNoOpenOrder } from '../orders/order-progress.ts'
import { isEnd, isState } from '../quotes/quote-machine.ts'
import type { QuoteBoard } from './quote-board.ts'

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
 * Yields the present status, then each that differs from the last, until the quote has ended or the signal is aborted.
 *
 * @param isNew The quote was submitted just now: its notifications are still to come, and nothing is read before the
 * first.
 */
export type FollowQuote = (
  accountId: string,
  quoteId: string,
  signal: AbortSignal,
  isNew?: boolean,
) => AsyncGenerator<RelayStatus>

/** Creates the follower of quotes; all followers of one quote share each read. */
export function createQuoteFollower(
  board: QuoteBoard,
  read: (accountId: string, quoteId: string) => Promise<RelayStatus>,
): FollowQuote {
  const share = shareReadings<RelayStatus>()
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
  read: (since: number) => Promise<RelayStatus>,
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
  one.status !== other.status ||
  one.txHash !== other.txHash ||
  one.confirmedTxHash !== other.confirmedTxHash ||
  one.bridge?.bridgeStatus !== other.bridge?.bridgeStatus ||
  one.bridge?.destTxHash !== other.bridge?.destTxHash ||
  one.bridge?.refundTxHash !== other.bridge?.refundTxHash ||
  !isSameCash(one.offRamp, other.offRamp)
