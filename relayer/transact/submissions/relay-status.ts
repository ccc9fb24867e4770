import type { DatabasePool } from 'slonik'
import { readRelayProgress, type RelayProgressRow } from '../../../db/transact/intents-progress.ts'
import type { QuoteStatus, RelayStatus } from '../transact.ts'
import { cashProgressOf } from '../cash-orders/cash-progress.ts'
import { progressOf } from '../orders/order-progress.ts'
import { quoteNotFound } from '../errors.ts'

/**
 * Returns the status for clients: queued until a node accepted a transaction, then pending; stuck if that lasts too
 * long.
 */
export function relayStatusOf(
  { status, submittedAt, dueAt, txHash, minedBlock }: RelayProgressRow,
  stuckAfterMs: number,
): QuoteStatus {
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

/** @throws ServiceError `not-found` when the account has no such quote. */
export async function readRelayStatus(
  database: DatabasePool,
  accountId: string,
  quoteId: string,
  stuckAfterMs: number,
): Promise<RelayStatus> {
  const [row] = UUID.test(quoteId) ? await readRelayProgress(database, accountId, [quoteId]) : []
  if (!row) throw quoteNotFound()
  return describeRelay(row, stuckAfterMs)
}
