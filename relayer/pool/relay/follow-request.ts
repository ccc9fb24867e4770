import type { DatabasePool } from 'slonik'
import type { Hash } from 'viem'
import {
  findRelayRequest,
  findRequestByNullifier,
  type RelayRequestRow,
} from '../../../db/pool/relay/relay-requests.ts'
import type { FieldElement } from '../../../proving/field-element.ts'
import type { RequestBoard } from './request-progress.ts'
import type { RequestProgress } from './withdrawals.ts'
import { requestNotFound } from './errors.ts'

/** What a request is followed by: its id, or the note that it spends. */
export type RequestKey = { requestId: string } | { nullifierHash: FieldElement }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The progress that a stored request has made. */
export function progressOfRow(row: RelayRequestRow): RequestProgress {
  return {
    requestId: row.id,
    chainId: row.chainId,
    status: row.status,
    txHash: row.txHash as Hash | null,
    error: row.error,
    updatedAt: row.updatedAt.getTime(),
  }
}

const ORDER = ['received', 'verified', 'simulated', 'broadcast', 'confirmed', 'failed'] as const
const stepOf = ({ status }: RequestProgress) => ORDER.indexOf(status)

/**
 * Whether progress continues from the last that was reported. Events can overtake each other, and several requests
 * may concern one note: then the furthest one is followed, and the failure of another is ignored. Exported for its test,
 * because real requests rarely overtake each other.
 */
export function leadsOn(next: RequestProgress, last: RequestProgress | null): boolean {
  if (!last || stepOf(next) > stepOf(last))
    return !last || next.requestId === last.requestId || next.status !== 'failed'
  const isReplaced = next.txHash !== null && next.txHash !== last.txHash
  return next.requestId === last.requestId && next.status === last.status && isReplaced
}

const isFinal = ({ status }: RequestProgress) => status === 'confirmed' || status === 'failed'

/**
 * The present progress of a request: its row if it has one, else what was published recently. For a note it is that
 * of the request that holds it; failed requests have released it.
 */
export async function readRequestProgress(
  database: DatabasePool,
  board: RequestBoard,
  key: RequestKey,
): Promise<RequestProgress | null> {
  if ('nullifierHash' in key) {
    const row = await findRequestByNullifier(database, BigInt(key.nullifierHash))
    return row && progressOfRow(row)
  }
  if (!UUID.test(key.requestId)) return null
  const row = await findRelayRequest(database, key.requestId)
  return row ? progressOfRow(row) : board.latest(key.requestId)
}

/**
 * A stream ends after this long without news. A client that still wants to know subscribes again and gets the present
 * state first.
 */
const SILENCE_MS = 10 * 60_000

/**
 * The present state, then every change until the request has ended, nothing was heard for ten minutes, or the signal is
 * aborted. A note may be followed before there is a request.
 *
 * @throws ServiceError `not-found` for a requestId that is not known (any more): nothing will ever be heard of it.
 */
export async function* followRequest(
  database: DatabasePool,
  board: RequestBoard,
  key: RequestKey,
  signal: AbortSignal,
  silenceMs = SILENCE_MS,
): AsyncGenerator<RequestProgress> {
  const waiting: RequestProgress[] = []
  let wake = () => {}
  const giveUp = new AbortController()
  const silence = setTimeout(() => giveUp.abort(), silenceMs).unref()
  const over = AbortSignal.any([signal, giveUp.signal])
  const onAbort = () => wake()
  over.addEventListener('abort', onAbort)
  const unlisten = await board.listen(key, (progress) => {
    waiting.push(progress)
    wake()
  })
  try {
    const present = await readRequestProgress(database, board, key)
    if (present) waiting.unshift(present)
    else if ('requestId' in key && waiting.length === 0) throw requestNotFound()
    let last: RequestProgress | null = null
    while (!over.aborted) {
      const next = waiting.shift()
      if (!next) {
        await new Promise<void>((resolve) => {
          wake = resolve
          if (waiting.length > 0 || over.aborted) resolve()
        })
        continue
      }
      if (!leadsOn(next, last)) continue
      last = next
      silence.refresh()
      yield next
      if (isFinal(next)) return
    }
  } finally {
    clearTimeout(silence)
    over.removeEventListener('abort', onAbort)
    await unlisten()
  }
}
