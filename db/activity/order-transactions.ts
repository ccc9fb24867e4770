import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../column-types.ts'
import { sql } from '../connect-database.ts'

/**
 * Payments to recipients by fills and refunds of the account's orders; `amount` is null where it is irrelevant or
 * unknown yet.
 */
const shares = (accountId: string) => sql.fragment`(
    select quote_id, destination_chain_id as chain_id, fill_tx as tx_hash, output_recipient as payee, paid.token,
      case when paid.token = arrived_token then arrived_amount end as amount
    from bridge_order cross join lateral (values (output_token), (bridged_token)) as paid (token)
    where account_id = ${accountId}::uuid and fill_tx is not null
    union
    select quote_id, origin_chain_id, refund_tx, depositor, input_token,
      case when input_token = arrived_token then arrived_amount end
    from bridge_order where account_id = ${accountId}::uuid and refund_tx is not null
  )`

/**
 * Excludes the rows of `account_tx as listed` that only fill or refund the account's bridge orders: the transactions of
 * their deposits show those. A filler can do more in the same transaction; then the row stays.
 */
export const ofNoOrder = (accountId: string) => sql.fragment`(
  not exists (
    select from bridge_order where bridge_order.account_id = ${accountId}::uuid
      and destination_chain_id = listed.chain_id and fill_tx = listed.tx_hash
  ) and not exists (
    select from bridge_order where bridge_order.account_id = ${accountId}::uuid
      and origin_chain_id = listed.chain_id and refund_tx = listed.tx_hash
  ) or exists (
    select from transfer
    join stealth_address on account_id = ${accountId}::uuid and address in (from_address, to_address)
    where transfer.chain_id = listed.chain_id and transfer.tx_hash = listed.tx_hash
      and (amount > 0 or standard not in ('native', 'erc20'))
    group by to_address, token, standard
    having standard not in ('native', 'erc20') or sum(amount) > coalesce((
      select sum(coalesce(share.amount, 1e80)) from ${shares(accountId)} as share
      where share.chain_id = listed.chain_id and share.tx_hash = listed.tx_hash and payee = to_address
        and share.token = transfer.token
    ), 0)
  )
)`

const orderShare = z.object({
  chainId: smallInteger,
  txHash: hexText,
  to: hexText,
  token: hexText,
  amount: z.bigint().nullable(),
})
/**
 * Amount that the filled or refunded orders in one transaction brought to an address. In the smallest unit; null where
 * the whole receipt of the token belongs to them.
 */
export type OrderShare = z.output<typeof orderShare>

/** Lists the amounts in those transactions that belong to orders of the account. */
export async function listOrderShares(
  connection: CommonQueryMethods,
  accountId: string,
  transactions: readonly { chainId: number; txHash: string }[],
): Promise<readonly OrderShare[]> {
  if (transactions.length === 0) return []
  return connection.any(sql.type(orderShare)`
    select share.chain_id as "chainId", share.tx_hash as "txHash", payee as "to", token,
      case when bool_and(amount is not null) then sum(amount) end as amount
    from ${sql.unnest(
      transactions.map(({ chainId, txHash }) => [chainId, txHash]),
      ['int8', 'text'],
    )} as wanted (chain_id, tx_hash) join ${shares(accountId)} as share using (chain_id, tx_hash)
    group by share.chain_id, share.tx_hash, payee, token`)
}
