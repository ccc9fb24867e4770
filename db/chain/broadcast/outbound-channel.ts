import type { CommonQueryMethods, FragmentSqlToken } from 'slonik'
import { sql } from '../../connect-database.ts'
import { listenChannel, type ChannelListener } from '../../listen-channel.ts'

const CHANNEL = 'outbound'

/** What {@link notifyOutbound} does for one message, as an item of a `from` clause. */
export const notifying = (message: string | FragmentSqlToken) =>
  sql.fragment`pg_notify(${CHANNEL}, ${message})`

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

/**
 * Hears {@link notifyOutbound} on a connection of its own, which is opened again when it breaks.
 * @param on.open Called after every (re)connection: what was said meanwhile is lost.
 */
export const listenOutbound = (
  databaseUrl: string,
  on: Parameters<typeof listenChannel>[2],
): Promise<ChannelListener> => listenChannel(databaseUrl, CHANNEL, on)
