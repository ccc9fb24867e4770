import type { DatabasePool } from 'slonik'
import type { Hash } from 'viem'
import {
  findNewestRequestByNullifier,
  findRelayRequest,
  type RelayRequestRow,
} from '../../db/withdrawals/relay-requests.ts'
import type { FieldElement } from '../../proving/field-element.ts'
import type { ProgressBoard } from './request-progress.ts'
import type { RequestProgress } from './withdrawals.ts'

export type RequestKey = { requestId: string } | { nullifierHash: FieldElement }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

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

const isFinal = ({ status }: RequestProgress) => status === 'confirmed' || status === 'failed'

/** Where a request is now: its row where it has one, else what was published of it lately. */
export async function readProgress(
  database: DatabasePool,
  board: ProgressBoard,
  key: RequestKey,
): Promise<RequestProgress | null> {
  if ('nullifierHash' in key) {
    const row = await findNewestRequestByNullifier(database, BigInt(key.nullifierHash))
    return row && progressOfRow(row)
  }
  if (!UUID.test(key.requestId)) return null
  const row = await findRelayRequest(database, key.requestId)
  return row ? progressOfRow(row) : board.latest(key.requestId)
}

/** The present state, then every change until the request has ended or the signal is aborted. */
export async function* followRequest(
  database: DatabasePool,
  board: ProgressBoard,
  key: RequestKey,
  signal: AbortSignal,
): AsyncGenerator<RequestProgress> {
  const waiting: RequestProgress[] = []
  let wake = () => {}
  const onAbort = () => wake()
  signal.addEventListener('abort', onAbort)
  const unlisten = await board.listen(key, (progress) => {
    waiting.push(progress)
    wake()
  })
  try {
    const present = await readProgress(database, board, key)
    if (present) waiting.unshift(present)
    let last: string | undefined
    while (!signal.aborted) {
      const next = waiting.shift()
      if (!next) {
        await new Promise<void>((resolve) => {
          wake = resolve
          if (waiting.length > 0 || signal.aborted) resolve()
        })
        continue
      }
      const seen = `${next.requestId} ${next.status} ${next.txHash}`
      if (seen === last) continue
      last = seen
      yield next
      if (isFinal(next)) return
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    await unlisten()
  }
}
