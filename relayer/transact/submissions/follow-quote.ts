import type { RelayStatus } from '../transact.ts'
import { hasNoOpenCash, isSameCash } from '../cash-orders/cash-progress.ts'
import { hasNoOpenOrder } from '../orders/order-progress.ts'
import type { QuoteBoard } from './quote-board.ts'

/** News without a notification (another instance's verdict, the passing of time) is seen after this long. */
const LOOK_AGAIN_MS = 1_000

const ENDS: ReadonlySet<RelayStatus['status']> = new Set([
  'confirmed',
  'failed',
  'unlocked',
  'expired',
  'replaced',
  'manual_review',
])
/** Whether a quote's status is final, and an order or a cash-out that it placed has ended. */
export const hasEnded = ({ status, bridge, offRamp }: RelayStatus) =>
  ENDS.has(status) && hasNoOpenOrder(bridge) && hasNoOpenCash(offRamp)

/**
 * The present status, then each that differs from the last, until the quote has ended or the signal is aborted.
 * @param isNew It was submitted just now: news of it are still to come, and nothing is read before.
 */
export async function* followQuote(
  board: QuoteBoard,
  quoteId: string,
  read: () => Promise<RelayStatus>,
  signal: AbortSignal,
  isNew = false,
): AsyncGenerator<RelayStatus> {
  let isTold = !isNew
  let wake = () => {}
  const tell = () => {
    isTold = true
    wake()
  }
  const unlisten = board.listen(quoteId, tell)
  signal.addEventListener('abort', tell)
  let last: RelayStatus | null = null
  try {
    while (!signal.aborted) {
      if (!isTold)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, LOOK_AGAIN_MS)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      if (signal.aborted) return
      isTold = false
      const status = await read()
      if (signal.aborted) return
      if (!last || differs(status, last)) {
        last = status
        yield status
        if (hasEnded(status)) return
      }
    }
  } finally {
    unlisten()
    signal.removeEventListener('abort', tell)
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
