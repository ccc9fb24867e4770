import pg from 'pg'
import { openSession } from './database-servers.ts'

const RECONNECT_MS = 1_000

/** An open connection that listens for notifications; `close` ends it. */
export interface ChannelListener {
  close(): Promise<void>
}

/**
 * Listens on a channel for `pg_notify`, on a connection of its own, which is reopened when it breaks.
 * @param channel A trusted name: it becomes part of a statement.
 * @param on.lost Called once for each outage, with the reason.
 * @param on.open Called after every (re)connection: messages sent in between are lost.
 * @throws Error when the first connection cannot be opened.
 */
export async function listenChannel(
  databaseUrl: string,
  channel: string,
  on: { message(message: string): void; open(): void; lost(reason: string): void },
): Promise<ChannelListener> {
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined
  let closed = false
  let isLost = false

  function lose(error: unknown): void {
    if (isLost || closed) return
    isLost = true
    on.lost(error instanceof Error ? error.message : String(error))
  }

  async function open(): Promise<void> {
    const opening = await openSession(databaseUrl)
    opening.on('error', lose)
    opening.on('notification', ({ payload }) => on.message(payload ?? ''))
    await opening.query(`listen ${pg.escapeIdentifier(channel)}`)
    if (closed) return opening.end()
    client = opening
    isLost = false
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
        lose(error)
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
