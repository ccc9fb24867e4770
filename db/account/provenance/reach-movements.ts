import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import { accountVersion, selectAccountVersion } from '../changes/account-version.ts'
import { selectAddressFacts } from './address-facts.ts'
import { selectTransactionFacts } from './transaction-facts.ts'

/** Transfers that are read at once. */
const MAX_MOVEMENTS = 5_000
/** Addresses that are looked at from those that were asked for. */
const MAX_REACHED = 2_000

const amount = z.string().transform(BigInt)

const movement = z.tuple([
  /** Chain, transaction; null for what the consensus layer paid out. */
  z.int(),
  hexText.nullable(),
  /** Of the block: names such a payment together with the position. */
  hexText,
  /** Milliseconds since the epoch. */
  z.int(),
  /** Source, position and item, as `transfer` has them. */
  z.enum(['log', 'call', 'withdrawal']),
  z.int(),
  z.int(),
  /** Token; its number where the standard has numbers. */
  hexText,
  amount.nullable(),
  /** From, to, and the amount in the smallest unit. */
  hexText,
  hexText,
  amount,
])
/** One transfer from or to a reached address. */
export type ReachedMovement = z.output<typeof movement>

/** Reads one of the movements. */
export const parseMovement = (row: unknown): ReachedMovement => movement.parse(row)

/** Rows that the caller reads, a few at a time: of thousands that takes long. */
const unread = z.array(z.unknown())

const reached = z.object({
  addresses: z.array(hexText),
  /** Those whose transfers are not among the movements, for they are too many. */
  crowded: z.array(hexText),
  /** For {@link parseMovement}. */
  movements: unread,
  /** For `parseTransactionFact`. */
  transactionFacts: unread,
  /** For `parseAddressFacts`. */
  addressFacts: unread,
  /** Which state of the account's facts all this is. */
  version: accountVersion,
  /** Tokens that the account added to its list. */
  watched: z.array(z.object({ chainId: z.int(), address: hexText })),
})
/** What the history of some addresses is made of. */
export type ReachedMovements = z.output<typeof reached> & {
  /** There are more addresses than were looked at. */
  isCut: boolean
}

/**
 * All transfers of those of the addresses that are the account's, and of all others that an observer can join them with, with
 * what is known of them, by one query: `functions/account/provenance_movements.sql` says which.
 *
 * @param tokens Whose holdings are read with them.
 */
export async function reachMovements(
  connection: CommonQueryMethods,
  accountId: string,
  addresses: readonly string[],
  tokens: readonly string[],
): Promise<ReachedMovements> {
  const row = await connection.one(sql.type(reached)`
    with found as materialized (
      select * from provenance_movements(${accountId}, ${sql.array([...addresses], 'text')}, ${MAX_REACHED},
        ${MAX_MOVEMENTS})
    ), wanted as materialized (
      select distinct (movement->>0)::bigint as chain_id, movement->>1 as tx_hash
      from found, jsonb_array_elements(movements) as movement where movement->>1 is not null
    )
    select addresses, crowded, movements, (${selectTransactionFacts(accountId)}) as "transactionFacts",
      (${selectAddressFacts(accountId, tokens)}) as "addressFacts", coalesce((
        select jsonb_agg(jsonb_build_object('chainId', chain_id, 'address', address))
        from account_token where account_id = ${accountId}::uuid
      ), '[]') as watched, (${selectAccountVersion(accountId)}) as version
    from found`)
  return { ...row, isCut: row.addresses.length > MAX_REACHED }
}
