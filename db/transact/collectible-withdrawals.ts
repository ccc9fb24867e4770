import { UniqueIntegrityConstraintViolationError, type CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { byAccount } from '../account-table.ts'
import { hexText } from '../column-types.ts'
import { sql } from '../connect-database.ts'

/** How an account's erasure and export treat the table. */
export const collectibleWithdrawalTable = byAccount('collectible_withdrawal')

/** Key of a collectible. The contract is checksummed. */
export interface CollectibleKey {
  chainId: number
  contract: string
  tokenId: bigint
}

/** True if an insert collided with another quote of the account that sends the same collectible. */
export const isCollectibleWithdrawalTaken = (error: unknown): boolean =>
  error instanceof UniqueIntegrityConstraintViolationError &&
  error.constraint === 'collectible_withdrawal_live'

/**
 * Writes the collectibles that a quote sends, in the transaction that writes the quote. No other quote of the account
 * can send them until this one ends.
 * @throws UniqueIntegrityConstraintViolationError (see {@link isCollectibleWithdrawalTaken}).
 */
export async function insertWithdrawals(
  transaction: CommonQueryMethods,
  { quoteId, accountId }: { quoteId: string; accountId: string },
  collectibles: readonly CollectibleKey[],
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    insert into collectible_withdrawal (quote_id, account_id, chain_id, contract, token_id)
    select ${quoteId}::uuid, ${accountId}::uuid, * from ${sql.unnest(
      collectibles.map(({ chainId, contract, tokenId }) => [chainId, contract, String(tokenId)]),
      ['int8', 'text', 'numeric'],
    )} as sent (chain_id, contract, token_id) order by contract, token_id`)
}

/** Locks a collectible until the transaction ends: of two accounts that submit it at once, the second sees the first. */
export async function lockCollectible(
  transaction: CommonQueryMethods,
  { chainId, contract, tokenId }: CollectibleKey,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    select from pg_advisory_xact_lock(hashtextextended(${`collectible ${chainId} ${contract} ${tokenId}`}, 0))`)
}

const lately = z.object({ until: z.date() })

/**
 * End of the period in which the service does not pay for sending a collectible again. It lasts 24 hours from the last
 * submission, by any account, that was or may be mined. Null without such a submission.
 *
 * @param exceptQuoteId A quote that does not count.
 */
export async function findWithdrawnUntil(
  connection: CommonQueryMethods,
  { chainId, contract, tokenId }: CollectibleKey,
  exceptQuoteId: string | null = null,
): Promise<Date | null> {
  const row = await connection.maybeOne(sql.type(lately)`
    select quote.submitted_at + interval '24 hours' as until
    from collectible_withdrawal as withdrawal join quote on quote.id = withdrawal.quote_id
    where withdrawal.chain_id = ${chainId} and contract = ${contract} and token_id = ${tokenId}
      and quote.kind = 'nft_withdraw' and quote.submitted_at > now() - interval '24 hours' and quote.id is distinct from ${exceptQuoteId}::uuid
      and (quote.status <> 'failed' or exists (
        select from intent where intent.quote_id = quote.id and tx_hash is not null
      ))
    order by quote.submitted_at desc limit 1`)
  return row?.until ?? null
}

const liveRow = z.object({ quoteId: z.string() })

/** The account's quote that is sending a collectible, or null. */
export async function findLiveCollectibleWithdrawal(
  connection: CommonQueryMethods,
  accountId: string,
  { chainId, contract, tokenId }: CollectibleKey,
): Promise<string | null> {
  const row = await connection.maybeOne(sql.type(liveRow)`
    select quote_id as "quoteId" from collectible_withdrawal
    where account_id = ${accountId}::uuid and chain_id = ${chainId} and contract = ${contract}
      and token_id = ${tokenId} and ended_at is null`)
  return row?.quoteId ?? null
}

const liveOfContract = z.object({ quoteId: z.string(), contract: hexText, tokenId: z.bigint() })

/** Lists the account's collectibles of these contracts that quotes are sending. */
export function listLiveWithdrawals(
  connection: CommonQueryMethods,
  accountId: string,
  { chainId, contracts }: { chainId: number; contracts: readonly string[] },
): Promise<readonly z.output<typeof liveOfContract>[]> {
  return connection.any(sql.type(liveOfContract)`
    select quote_id as "quoteId", contract, token_id as "tokenId" from collectible_withdrawal
    where account_id = ${accountId}::uuid and chain_id = ${chainId}
      and contract = any(${sql.array([...contracts], 'text')}) and ended_at is null`)
}

const withdrawalRow = z.object({ quoteId: z.string(), contract: hexText, tokenId: z.bigint() })
/** A collectible that a quote sends. */
export type WithdrawalRow = z.output<typeof withdrawalRow>

/** Lists the collectibles that the given quotes send. */
export function listWithdrawals(
  connection: CommonQueryMethods,
  quoteIds: readonly string[],
): Promise<readonly WithdrawalRow[]> {
  return connection.any(sql.type(withdrawalRow)`
    select quote_id as "quoteId", contract, token_id as "tokenId" from collectible_withdrawal
    where quote_id = any(${sql.array([...quoteIds], 'uuid')})`)
}
