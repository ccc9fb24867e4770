import {
  CheckIntegrityConstraintViolationError,
  type CommonQueryMethods,
  type FragmentSqlToken,
} from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../column-types.ts'
import { askInOneStatement } from '../ask-in-one-statement.ts'
import { sql } from '../connect-database.ts'
import { byAddress, byQuote } from '../account-table.ts'

/** How an account's erasure and export treat the tables. */
export const reservationTables = [byQuote('reservation'), byAddress('locked_funds')]

const reservation = z.object({
  chainId: smallInteger,
  address: hexText,
  /** The zero address for the native coin. */
  token: hexText,
  /** Total that leaves the address, smallest unit. */
  amount: z.bigint(),
  /** The service's fees, part of `amount`. */
  networkFee: z.bigint(),
  serviceFee: z.bigint(),
  /** The part of `amount` that its calls move beyond the payment; default none. */
  moved: z.bigint().optional(),
})
/** The amount that a quote takes from an address. */
export type Reservation = z.output<typeof reservation>

const unnest = (rows: readonly Reservation[]) =>
  sql.unnest(
    rows.map(({ chainId, address, token, amount, networkFee, serviceFee }) => [
      chainId,
      address,
      token,
      String(amount),
      String(networkFee),
      String(serviceFee),
    ]),
    ['int8', 'text', 'text', 'numeric', 'numeric', 'numeric'],
  )

const wantedRow = sql.fragment`wanted (chain_id, address, token, amount, network_fee, service_fee)`

/** True if a statement failed because an address has less than the amount to be locked. */
export const isOverPromise = (error: unknown): boolean =>
  error instanceof CheckIntegrityConstraintViolationError &&
  error.constraint === 'locked_funds_within_holding'

/**
 * Locks funds for a quote, in the transaction that writes it.
 * @throws CheckIntegrityConstraintViolationError (see {@link isOverPromise}) when an address has too little left.
 */
export async function reserveFunds(
  connection: CommonQueryMethods,
  quoteId: string,
  rows: readonly Reservation[],
): Promise<void> {
  await connection.query(
    sql.typeAlias('void')`
    select from ${reservingFunds(sql.fragment`${quoteId}::uuid`, rows)}`,
  )
}

/** The same, inside a statement that has written the quote. */
export const reservingFunds = (quoteId: FragmentSqlToken, rows: readonly Reservation[]) => {
  const column = (valueOf: (row: Reservation) => string | number, type: string) =>
    sql.array(rows.map(valueOf), type)
  return sql.fragment`reserve_funds(${quoteId},
    ${column(({ chainId }) => chainId, 'int8')},
    ${column(({ address }) => address, 'text')},
    ${column(({ token }) => token, 'text')},
    ${column(({ amount }) => String(amount), 'numeric')},
    ${column(({ networkFee }) => String(networkFee), 'numeric')},
    ${column(({ serviceFee }) => String(serviceFee), 'numeric')},
    ${column(({ moved = 0n }) => String(moved), 'numeric')})`
}

/** Records payments that need no lock: those funded by the quote's own calls, and sends without payment. */
export async function recordPayments(
  connection: CommonQueryMethods,
  quoteId: string,
  rows: readonly Reservation[],
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    insert into reservation (quote_id, chain_id, address, token, amount, network_fee, service_fee, released_at)
    select ${quoteId}, chain_id, address, token, amount, network_fee, service_fee, now()
    from ${unnest(rows)} as ${wantedRow}`)
}

/**
 * Moves a quote's locks to its replacement: funds that both need stay locked throughout.
 * @throws CheckIntegrityConstraintViolationError when an address has too little for the new one.
 */
export async function moveReservations(
  connection: CommonQueryMethods,
  from: string,
  to: string,
  rows: readonly Reservation[],
): Promise<void> {
  // The quotes may need different tokens of one address. So all rows are locked first, in the common order.
  await connection.query(sql.typeAlias('void')`
    insert into locked_funds (chain_id, address, token, amount, ceiling)
    select chain_id, address, token, 0, 0 from (
      select chain_id, address, token from reservation where quote_id = ${from} and released_at is null
      union select chain_id, address, token from ${unnest(rows)} as ${wantedRow}
    ) as either
    order by address, chain_id, token
    on conflict (address, chain_id, token) do update set amount = locked_funds.amount`)
  await releaseReservations(connection, [from])
  await reserveFunds(connection, to, rows)
}

const lockedRow = z.object({ chainId: smallInteger, address: z.string(), token: z.string() })
const released = z.object({ released: z.int() })

/**
 * Releases some live reservations from the locks. It first locks the rows of the locks, by address. A reservation that
 * meets the condition only since then stays, unless its lock is among them.
 */
async function release(
  connection: CommonQueryMethods,
  condition: ReturnType<typeof sql.fragment>,
): Promise<number> {
  const locked = await connection.any(sql.type(lockedRow)`
    select locked_funds.chain_id as "chainId", locked_funds.address, locked_funds.token
    from locked_funds join reservation using (chain_id, address, token)
    where released_at is null and ${condition}
    order by locked_funds.address, locked_funds.chain_id, locked_funds.token for update of locked_funds`)
  const isLocked = sql.fragment`(reservation.chain_id, reservation.address, reservation.token) in (
    select * from ${sql.unnest(
      locked.map(({ chainId, address, token }) => [chainId, address, token]),
      ['int8', 'text', 'text'],
    )})`
  const { released: count } = await connection.one(sql.type(released)`
    with ended as (
      update reservation set released_at = now() where released_at is null and ${condition} and ${isLocked}
      returning chain_id, address, token, amount
    ), freed as (
      select chain_id, address, token, sum(amount) as amount from ended group by chain_id, address, token
    ), returned as (
      update locked_funds set amount = locked_funds.amount - freed.amount from freed
      where locked_funds.chain_id = freed.chain_id and locked_funds.address = freed.address
        and locked_funds.token = freed.token
    ) select count(*)::int4 as released from ended`)
  return count
}

/**
 * Releases unspent locks of quotes; a second call does nothing. Quotes that end together must be passed together,
 * because all their locks are taken in one order.
 * @returns The number of reservations that this call ended.
 */
export function releaseReservations(
  connection: CommonQueryMethods,
  quoteIds: readonly string[],
): Promise<number> {
  return release(
    connection,
    sql.fragment`quote_id = any(${sql.array([...quoteIds], 'uuid')}) and spent_in_block is null`,
  )
}

/** The spent locks of a quote: those of one address, or of all by default. */
export interface Spending {
  quoteId: string
  address?: string
  blockNumber: bigint
}

/**
 * Records that locked funds were spent in a final block; this is not undone. If a reorg reverts the block after all,
 * the indexer reads the holding again, and the funds become available.
 */
export async function markSpent(
  connection: CommonQueryMethods,
  spendings: readonly Spending[],
): Promise<void> {
  if (spendings.length === 0) return
  await connection.query(sql.typeAlias('void')`
    update reservation set spent_in_block = spent.block_number
    from ${sql.unnest(
      spendings.map(({ quoteId, address, blockNumber }) => [quoteId, address ?? null, blockNumber]),
      ['uuid', 'text', 'int8'],
    )} as spent (quote_id, address, block_number)
    where reservation.quote_id = spent.quote_id and released_at is null
      and reservation.address = coalesce(spent.address, reservation.address)`)
}

/**
 * Ends the locks of funds that were spent up to an indexed block, once later reads of the holdings exclude them. A
 * holding without such a read is marked stale: its block showed no movement.
 * @param among Addresses whose locks may end; default all.
 * @returns The number of ended locks.
 */
export async function releaseSpent(
  connection: CommonQueryMethods,
  chainId: number,
  indexedBlock: bigint,
  among?: readonly string[],
): Promise<number> {
  const isAmong = among
    ? sql.fragment`reservation.address = any(${sql.array([...among], 'text')})`
    : sql.fragment`true`
  // A holding locked by another transaction is being read; the next run sees the result.
  await connection.query(sql.typeAlias('void')`
    with behind as (
      select holding.address, holding.standard, holding.token, holding.token_id
      from holding join reservation using (chain_id, address, token)
      where chain_id = ${chainId} and released_at is null and spent_in_block <= ${indexedBlock} and not stale and ${isBehind}
        and ${isAmong}
      for update of holding skip locked
    )
    update holding set stale = true from behind
    where holding.chain_id = ${chainId} and holding.address = behind.address and holding.token = behind.token
      and holding.standard = behind.standard and holding.token_id = behind.token_id`)
  return release(
    connection,
    sql.fragment`reservation.chain_id = ${chainId} and spent_in_block <= ${indexedBlock} and ${isAmong} and not exists (
      select from holding where holding.chain_id = reservation.chain_id and holding.address = reservation.address
        and holding.token = reservation.token and ${isBehind})`,
  )
}

/** Lists the addresses with locks of funds that were spent up to a block. */
export function listSpentAddresses(
  connection: CommonQueryMethods,
  chainId: number,
  upTo: bigint,
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(z.object({ address: z.string() }))`
    select distinct address from reservation
    where chain_id = ${chainId} and released_at is null and spent_in_block <= ${upTo}`)
}

/** Condition on a holding: its last read predates the block in which its reservation was spent. */
const isBehind = sql.fragment`standard in ('native', 'erc20') and coalesce(as_of_number, -1) < spent_in_block`

const indexed = z.object({ chainId: smallInteger, blockNumber: z.bigint() })

/** Lists the newest indexed blocks of all chains. */
export function listIndexedBlocks(
  connection: CommonQueryMethods,
): Promise<readonly z.output<typeof indexed>[]> {
  return connection.any(sql.type(indexed)`
    select chain_id as "chainId", block_number as "blockNumber" from indexed_chain where block_hash is not null`)
}

const endedLocks = z.object({
  hasExpired: z.boolean(),
  spentOn: z.array(z.object({ chainId: z.int(), blockNumber: z.coerce.bigint() })),
})

/**
 * Reads whether quotes have expired; and the chains with locks of spent funds, each with its newest indexed block.
 * Asked with other questions.
 */
export function findEnded(connection: CommonQueryMethods): Promise<z.output<typeof endedLocks>> {
  const question = sql.fragment`
    select jsonb_build_object('hasExpired', exists (
      select from quote where status = 'locked' and expires_at <= now()), 'spentOn', coalesce((
      select jsonb_agg(jsonb_build_object('chainId', chain_id, 'blockNumber', block_number::text))
      from indexed_chain where block_hash is not null and exists (
        select from reservation where reservation.chain_id = indexed_chain.chain_id and released_at is null
          and spent_in_block <= block_number)
    ), '[]'))`
  return askInOneStatement(connection, question, endedLocks)
}

/** The amounts that a quote's addresses pay in its own token, locked or brought by its calls. */
export function listPayments(
  connection: CommonQueryMethods,
  quoteId: string,
): Promise<readonly Reservation[]> {
  return connection.any(sql.type(reservation)`
    select reservation.chain_id as "chainId", address, reservation.token, reservation.amount,
      reservation.network_fee as "networkFee", reservation.service_fee as "serviceFee", moved
    from reservation join quote on quote.id = quote_id and quote.token = reservation.token
    where quote_id = ${quoteId} order by address`)
}

/** Lists the amounts that a quote has locked at its addresses. */
export function listReservations(
  connection: CommonQueryMethods,
  quoteId: string,
): Promise<readonly Reservation[]> {
  return connection.any(sql.type(reservation)`
    select chain_id as "chainId", address, token, amount, network_fee as "networkFee", service_fee as "serviceFee", moved
    from reservation where quote_id = ${quoteId} and released_at is null order by address`)
}

const spendable = z.object({
  token: hexText,
  /** Balance at the last read, smallest unit. */
  held: z.bigint(),
  /** Amounts locked by this quote and by others. */
  lockedHere: z.bigint(),
  lockedByOthers: z.bigint(),
})
/** An address's balance of a token, and the amounts that quotes have locked of it. */
export type Spendable = z.output<typeof spendable>

/**
 * Reads an address's balances of tokens, for calls that move them.
 * @param quoteId The quote with these calls; null before there is one.
 */
export function readSpendable(
  connection: CommonQueryMethods,
  { chainId, address, quoteId }: { chainId: number; address: string; quoteId: string | null },
  tokens: readonly string[],
): Promise<readonly Spendable[]> {
  return connection.any(sql.type(spendable)`
    select wanted.token, coalesce(holding.amount, 0) as held, coalesce(own.amount, 0) as "lockedHere",
      coalesce(locked_funds.amount, 0) - coalesce(own.amount, 0) as "lockedByOthers"
    from unnest(${sql.array([...tokens], 'text')}) as wanted (token)
    left join holding on holding.chain_id = ${chainId} and holding.address = ${address} and holding.token = wanted.token
      and standard in ('native', 'erc20')
    left join locked_funds on locked_funds.chain_id = ${chainId} and locked_funds.address = ${address}
      and locked_funds.token = wanted.token
    left join reservation as own on own.quote_id = ${quoteId} and own.released_at is null and own.chain_id = ${chainId}
      and own.address = ${address} and own.token = wanted.token`)
}

const lockedToken = z.object({ token: hexText })

/** Lists tokens of an address that quotes have locked: at most 16. */
export async function listLockedTokens(
  connection: CommonQueryMethods,
  chainId: number,
  address: string,
): Promise<`0x${string}`[]> {
  const rows = await connection.any(sql.type(lockedToken)`
    select token from locked_funds where chain_id = ${chainId} and address = ${address} and amount > 0
    order by token limit 16`)
  return rows.map(({ token }) => token)
}
