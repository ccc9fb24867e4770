import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import { accountVersion, selectAccountVersion } from '../changes/account-version.ts'
import { selectAddressFacts } from './address-facts.ts'
import { selectTransactionFacts } from './transaction-facts.ts'

/** Most transfers that one query returns. */
const MAX_MOVEMENTS = 5_000
/** Most addresses that are reached from the requested ones. */
const MAX_REACHED = 2_000

const amount = z.string().transform(BigInt)

const movement = z.tuple([
  /** Chain, transaction; null for a payout of the consensus layer. */
  z.int(),
  hexText.nullable(),
  /** Hash of the block; with the position it names such a payout. */
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

/** Rows that the caller parses a few at a time, because parsing thousands takes long. */
const unread = z.array(z.unknown())

const reached = z.object({
  addresses: z.array(hexText),
  /** Addresses whose transfers are omitted because they are too many. */
  crowded: z.array(hexText),
  /** For {@link parseMovement}. */
  movements: unread,
  /** For `parseTransactionFact`. */
  transactionFacts: unread,
  /** For `parseAddressFacts`. */
  addressFacts: unread,
  /** Version of the account's facts at which all this was read. */
  version: accountVersion,
  /** Tokens that the account added to its list. */
  watched: z.array(z.object({ chainId: z.int(), address: hexText })),
})
/** Facts behind the history of some addresses. */
export type ReachedMovements = z.output<typeof reached> & {
  /** True if addresses beyond the limit were left out. */
  isCut: boolean
}

/**
 * Reads all transfers of the account's addresses among the given ones, and of those that an observer can link to them.
 * `functions/account/provenance_movements.sql` defines the links. The same query reads facts about the transactions and
 * addresses.
 *
 * @param tokens Tokens whose holdings are read as well.
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
