import pg from 'pg'
import type { CommonQueryMethods } from 'slonik'
import { sql } from '../../connect-database.ts'

const CHANNEL = 'outbound'
const RECONNECT_MS = 1_000

/** What {@link notifyOutbound} does for one message, as an item of a `from` clause. */
export const notifying = (message: string) => sql.fragment`pg_notify(${CHANNEL}, ${message})`

/** Tells every instance, when the transaction commits. A message is at most 7,999 bytes. */
export async function notifyOutbound(
  transaction: CommonQueryMethods,
  messages: readonly string[],
): Promise<void> {
  if (messages.length === 0) return
  await transaction.query(sql.typeAlias('void')`
    select from unnest(${sql.array([...messages], 'text')}) as message
    cross join lateral pg_notify(${CHANNEL}, message)`)
}

/** An open connection that hears notifications; `close` ends it. */
export interface OutboundListener {
  close(): Promise<void>
}

/**
 * Hears {@link notifyOutbound} on a connection of its own, which is opened again when it breaks.
 * @param onOpen Called after every (re)connection: what was said meanwhile is lost.
 */
export async function listenOutbound(
  databaseUrl: string,
  on: { message(message: string): void; open(): void; lost(error: unknown): void },
): Promise<OutboundListener> {
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined
  let closed = false

  async function open(): Promise<void> {
    const opening = new pg.Client({ connectionString: databaseUrl, keepAlive: true })
    opening.on('error', on.lost)
    opening.on('notification', ({ payload }) => on.message(payload ?? ''))
    await opening.connect()
    await opening.query(`listen ${CHANNEL}`)
    if (closed) return opening.end()
    client = opening
    opening.on('end', () => {
      client = null
      if (!closed) reopenLater()
    })
    on.open()
  }

  function reopenLater(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      open().catch((error: unknown) => {
        on.lost(error)
        if (!closed) reopenLater()
      })
    }, RECONNECT_MS)
  }

  await open()
  return {
    async close() {
      closed = true
      clearTimeout(timer)
      await client?.end()
    },
  }
}
