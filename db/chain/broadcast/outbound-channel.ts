import type { CommonQueryMethods, FragmentSqlToken } from 'slonik'
import { sql } from '../../connect-database.ts'
import { listenChannel, type ChannelListener } from '../../listen-channel.ts'

const CHANNEL = 'outbound'

/** The notification of {@link notifyOutbound} for one message, as an item of a `from` clause. */
export const notifying = (message: string | FragmentSqlToken) =>
  sql.fragment`pg_notify(${CHANNEL}, ${message})`

/** Notifies every instance when the transaction commits. A message is at most 7,999 bytes. */
export async function notifyOutbound(
  transaction: CommonQueryMethods,
  messages: readonly string[],
): Promise<void> {
  if (messages.length === 0) return
  await transaction.query(sql.typeAlias('void')`
    select from unnest(${sql.array([...messages], 'text')}) as message
    cross join lateral pg_notify(${CHANNEL}, message)`)
}

/**
 * Listens for {@link notifyOutbound} on a connection of its own, which is reopened when it breaks.
 * @param on.open Called after every (re)connection: messages sent in between are lost.
 */
export const listenOutbound = (
  databaseUrl: string,
  on: Parameters<typeof listenChannel>[2],
): Promise<ChannelListener> => listenChannel(databaseUrl, CHANNEL, on)
