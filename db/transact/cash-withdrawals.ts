import { UniqueIntegrityConstraintViolationError, type CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { byAccount } from '../account-table.ts'
import { sql } from '../connect-database.ts'

/** How an account's erasure and export treat the table. */
export const cashWithdrawalTable = byAccount('cash_withdrawal')

/** Key of a deposit in an escrow. */
export interface EscrowedKey {
  chainId: number
  /** Checksummed. */
  escrow: string
  depositId: bigint
}

/** True if an insert collided with another quote that withdraws the same deposit. */
export const isCashWithdrawalTaken = (error: unknown): boolean =>
  error instanceof UniqueIntegrityConstraintViolationError && error.constraint === 'cash_withdrawal_deposit'

/**
 * Writes the deposit that a quote withdraws, in the transaction that writes the quote. No other quote can withdraw it
 * until this one ends.
 * @throws UniqueIntegrityConstraintViolationError (see {@link isCashWithdrawalTaken}).
 */
export async function insertCashWithdrawal(
  transaction: CommonQueryMethods,
  { quoteId, accountId }: { quoteId: string; accountId: string },
  { chainId, escrow, depositId }: EscrowedKey,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    insert into cash_withdrawal (quote_id, account_id, chain_id, escrow, deposit_id)
    values (${quoteId}::uuid, ${accountId}::uuid, ${chainId}, ${escrow}, ${depositId})`)
}

const live = z.object({ quoteId: z.string() })

/** The account's quote that is withdrawing a deposit, or null. */
export function findLiveCashWithdrawal(
  connection: CommonQueryMethods,
  accountId: string,
  { chainId, escrow, depositId }: EscrowedKey,
): Promise<z.output<typeof live> | null> {
  return connection.maybeOne(sql.type(live)`
    select quote_id as "quoteId" from cash_withdrawal
    where account_id = ${accountId}::uuid and chain_id = ${chainId} and escrow = ${escrow}
      and deposit_id = ${depositId} and ended_at is null`)
}
