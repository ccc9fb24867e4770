import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import {
  checkMoment,
  listAccountEvents,
  listAccountsWithEvents,
  readMoment,
  type AccountEventKind,
  type AccountEventRow,
  type DatabaseMoment,
} from '../../../db/account/changes/account-events.ts'
import type { Indexer } from '../../chain/indexer/indexer.ts'
import { createSumWatch, type SumWatch } from '../../concurrency/watch-sums.ts'
import type { TransientSecrets } from '../../identity/transient-secrets.ts'
import { readCursor, writeCursor, type EventPlace } from './event-cursor.ts'

/** Poll interval in milliseconds while an account is followed: any instance may write events. */
const EVERY_MS = 1_000
/** Events read at once. */
const PAGE = 100
/** A client that was away for more events than these reads everything again. */
const MOST_RESUMED = 500

/**
 * Why a follower must read everything again. `start`: it has no cursor. `unknown_cursor`: its cursor is not of this
 * account. `expired`: later events are no longer stored. `server`: another database server took over. `many`: too
 * much changed at once.
 */
export type ResyncReason = 'start' | 'unknown_cursor' | 'expired' | 'server' | 'many'

/** A change of an account. */
export type AccountEvent = {
  /** The place after this event, to resume from. */
  cursor: string
} & (
  | { kind: Exclude<AccountEventKind, 'resync'>; subject: string }
  | { kind: 'resync'; reason: ResyncReason }
)

/** The log of changes of accounts, which streams read. */
export interface AccountEvents {
  /**
   * Yields each change of the account after a cursor exactly once, until the signal is aborted. Without a cursor, or
   * where the log does not reach back to it, the first event is `resync`. Of several changes of one thing that are read
   * together, the last is yielded.
   */
  follow(accountId: string, after: string | null, signal: AbortSignal): AsyncGenerator<AccountEvent>
  stop(): void
}

/** The sources of the log. `indexer` reports blocks with changes. */
export interface EventSources {
  database: DatabasePool
  secrets: TransientSecrets
  indexer: Pick<Indexer, 'onChanged'>
  logger: Logger
}

/** Polls the log for the followed accounts: one query a second, whatever their number, and one after each new block. */
export function createAccountEvents(sources: EventSources): AccountEvents {
  const { database, indexer } = sources
  const watch = watchEvents(sources)
  const unlisten = indexer.onChanged(({ addresses }) => {
    if (addresses.length > 0) watch.look()
  })

  async function begin(
    accountId: string,
    after: string | null,
  ): Promise<{ place: EventPlace; reason: ResyncReason | null }> {
    const place = after === null ? null : readCursor(sources.secrets, accountId, after)
    const reason = after === null ? 'start' : place ? await judge(accountId, place) : 'unknown_cursor'
    return reason === null && place
      ? { place, reason }
      : { place: { from: await readMoment(database), part: null }, reason }
  }

  async function judge(accountId: string, { from, part }: EventPlace): Promise<ResyncReason | null> {
    const standing = await checkMoment(database, accountId, from)
    if (!standing.isSameServer || standing.isAhead) return 'server'
    if (!standing.isStored) return 'expired'
    const { snapshot } = part?.to ?? (await readMoment(database))
    const span = { from: from.snapshot, to: snapshot, after: part?.after ?? null }
    const rows = await listAccountEvents(database, accountId, span, MOST_RESUMED + 1)
    return rows.length > MOST_RESUMED ? 'many' : null
  }

  return {
    async *follow(accountId, after, signal) {
      const { secrets } = sources
      const begun = await begin(accountId, after)
      let { place } = begun
      const describe = (row: AccountEventRow): AccountEvent => {
        const cursor = writeCursor(secrets, accountId, place)
        const { kind, subject } = row
        return kind === 'resync' ? { cursor, kind, reason: 'many' } : { cursor, kind, subject }
      }
      if (begun.reason !== null)
        yield { cursor: writeCursor(secrets, accountId, place), kind: 'resync', reason: begun.reason }

      async function* readOn(): AsyncGenerator<AccountEvent> {
        for (let isWhole = false; !isWhole && !signal.aborted;) {
          const { from, part } = place
          const to = part?.to ?? (await readMoment(database))
          const span = { from: from.snapshot, to: to.snapshot, after: part?.after ?? null }
          const rows = await listAccountEvents(database, accountId, span, PAGE)
          isWhole = rows.length < PAGE && part === null
          for (const [row, next] of placesOf(rows, { from, to, isWhole: rows.length < PAGE })) {
            place = next
            yield describe(row)
          }
          if (rows.length < PAGE) place = { from: to, part: null }
        }
      }

      yield* readOn()
      for await (const _ of watch.follow(accountId, signal)) yield* readOn()
    },
    stop() {
      unlisten()
      watch.stop()
    },
  }
}

/** Wakes the followers of accounts that have new events. */
function watchEvents({ database, logger }: EventSources): SumWatch {
  let since: DatabaseMoment | null = null
  /** How often each followed account had news. */
  let news = new Map<string, number>()
  return createSumWatch({
    everyMs: EVERY_MS,
    onFailure: (error) => logger.warn({ err: error }, 'events of followed accounts could not be read'),
    async readSums(accountIds) {
      since ??= await readMoment(database)
      const { accountIds: changed, ...present } = await listAccountsWithEvents(
        database,
        accountIds,
        since.snapshot,
      )
      since = present
      const hasNews = new Set(changed)
      news = new Map(accountIds.map((id) => [id, (news.get(id) ?? 0) + (hasNews.has(id) ? 1 : 0)]))
      return new Map([...news].map(([id, count]) => [id, String(count)]))
    },
  })
}

/** The events of a span with the place after each; of equal ones, the last. */
function placesOf(
  rows: readonly AccountEventRow[],
  { from, to, isWhole }: { from: DatabaseMoment; to: DatabaseMoment; isWhole: boolean },
): [AccountEventRow, EventPlace][] {
  const last = new Map(rows.map((row, index) => [`${row.kind} ${row.subject}`, index]))
  return rows.flatMap((row, index) => {
    if (last.get(`${row.kind} ${row.subject}`) !== index) return []
    const isEnd = isWhole && index === rows.length - 1
    return [[row, isEnd ? { from: to, part: null } : { from, part: { to, after: row } }]]
  })
}
