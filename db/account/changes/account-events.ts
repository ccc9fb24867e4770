import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { byAccount } from '../../account-table.ts'
import { sql } from '../../connect-database.ts'

/** How an account's erasure and export treat the table. */
export const accountEventTable = byAccount('account_event', ['xact'])

/**
 * Minutes before the newest event of an account in which every later event is certain to be stored. Rows are stored
 * five minutes longer (`db/functions/account/write_account_events.sql`), for transactions that take that long.
 */
const CERTAIN_MINUTES = 10

/** The kind of change. `resync` stands for more rows than one statement may log. */
export type AccountEventKind = 'activity' | 'balance' | 'deposit' | 'quote' | 'relay' | 'resync' | 'review'

const eventRow = z.object({
  /** Transaction id, in decimal digits. */
  xact: z.string(),
  kind: z.enum(['activity', 'balance', 'deposit', 'quote', 'relay', 'resync', 'review']),
  /** Names what changed, for example `1 0x…` for a token of chain 1; empty where the kind says all. */
  subject: z.string(),
})
/** One change of an account. */
export type AccountEventRow = z.output<typeof eventRow>

/** A moment of the database: which transactions had committed by then. */
export interface DatabaseMoment {
  /** Text of a `pg_snapshot`. */
  snapshot: string
  /** Milliseconds since 1970, by the database's clock. */
  at: number
  /** Identifies the server's line of transactions; a promoted standby has another. */
  server: string
}

const moment = z.object({
  snapshot: z.string(),
  at: z.number().transform(Math.floor),
  server: z.string(),
})

const selectMoment = sql.fragment`
  select pg_current_snapshot()::text as snapshot, extract(epoch from clock_timestamp())::float8 * 1000 as at,
    (select system_identifier::text from pg_control_system()) || ' '
      || left(pg_walfile_name(pg_current_wal_lsn()), 8) as server`

/** Reads the present moment. */
export function readMoment(connection: CommonQueryMethods): Promise<DatabaseMoment> {
  return connection.one(sql.type(moment)`${selectMoment}`)
}

/** Events between two moments. */
export interface EventSpan {
  from: string
  to: string
  /** Only events after this one. */
  after: AccountEventRow | null
}

/**
 * Lists events of transactions that committed after `from` and by `to`, in the same order each time: every event is in
 * exactly one of two adjoining spans, whatever the order in which transactions commit.
 */
export function listAccountEvents(
  connection: CommonQueryMethods,
  accountId: string,
  { from, to, after }: EventSpan,
  most: number,
): Promise<readonly AccountEventRow[]> {
  const beyond = after
    ? sql.fragment`and (xact, kind, subject) > (${after.xact}::xid8, ${after.kind}, ${after.subject})`
    : sql.fragment``
  return connection.any(sql.type(eventRow)`
    select xact::text, kind, subject from account_event
    where account_id = ${accountId}::uuid and xact >= pg_snapshot_xmin(${from}::pg_snapshot)
      and not pg_visible_in_snapshot(xact, ${from}::pg_snapshot)
      and pg_visible_in_snapshot(xact, ${to}::pg_snapshot) ${beyond}
    order by xact, kind, subject limit ${most}`)
}

const standing = z.object({
  isSameServer: z.boolean(),
  isAhead: z.boolean(),
  isStored: z.boolean(),
})
/** Whether a stream may resume from a moment. */
export type MomentStanding = z.output<typeof standing>

/** Checks a moment of an earlier stream: `isStored` says whether all later events of the account are still stored. */
export function checkMoment(
  connection: CommonQueryMethods,
  accountId: string,
  { snapshot, at, server }: DatabaseMoment,
): Promise<MomentStanding> {
  return connection.one(sql.type(standing)`
    select present.server = ${server} as "isSameServer",
      pg_snapshot_xmax(${snapshot}::pg_snapshot) > pg_snapshot_xmax(present.snapshot::pg_snapshot) as "isAhead",
      coalesce((
        select max(event.at) - ${CERTAIN_MINUTES} * interval '1 minute' from account_event as event
        where account_id = ${accountId}::uuid
      ), '-infinity') < to_timestamp(${at}::float8 / 1000) as "isStored"
    from (${selectMoment}) as present`)
}

const changedAccounts = moment.extend({ accountIds: z.array(z.string()) })

/** Lists those of the accounts that have events since a moment, and the moment of the answer. */
export function listAccountsWithEvents(
  connection: CommonQueryMethods,
  accountIds: readonly string[],
  since: string,
): Promise<z.output<typeof changedAccounts>> {
  return connection.one(sql.type(changedAccounts)`
    select present.*, array(
      select told.id::text from unnest(${sql.array([...accountIds], 'uuid')}) as told (id) where exists (
        select from account_event
        where account_id = told.id and xact >= pg_snapshot_xmin(${since}::pg_snapshot)
          and not pg_visible_in_snapshot(xact, ${since}::pg_snapshot))
    ) as "accountIds"
    from (${selectMoment}) as present`)
}
