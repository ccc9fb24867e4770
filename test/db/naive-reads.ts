import { z } from 'zod'
import type { CommonQueryMethods } from 'slonik'
import { hexText, smallInteger } from '../../db/column-types.ts'
import { sql } from '../../db/connect-database.ts'

/** Reference answers for the stores: computed from the facts themselves, address by address. */

const touchedTx = z.object({ chainId: smallInteger, txHash: hexText })

/**
 * All transactions that touched an account and directly involve a given address, newest first. The address called or paid one
 * of the account, or was called or paid by one. A payment that a token logged in the transaction of another sender is a claim.
 */
export const naiveTransactions = (
  connection: CommonQueryMethods,
  accountId: string,
  involving: string | null,
) =>
  connection.any(sql.type(touchedTx)`
    select touched.chain_id as "chainId", touched.tx_hash as "txHash"
    from stealth_address join address_tx as touched using (address)
    where stealth_address.account_id = ${accountId} and (
      ${involving}::text is null
      or touched.address = ${involving}
      or exists (
        select from indexed_tx as tx join stealth_address as own on own.account_id = ${accountId}
        where tx.chain_id = touched.chain_id and tx.tx_hash = touched.tx_hash
          and (from_address = ${involving} and to_address = own.address
            or to_address = ${involving} and from_address = own.address)
      )
      or exists (
        select from transfer
        where transfer.chain_id = touched.chain_id and transfer.tx_hash = touched.tx_hash
          and (from_address = ${involving} and to_address = touched.address
            or to_address = ${involving} and from_address = touched.address and exists (
              select from indexed_tx as tx
              where tx.chain_id = transfer.chain_id and tx.tx_hash = transfer.tx_hash
                and tx.from_address = touched.address
            ))
      )
    )
    group by touched.chain_id, touched.tx_hash, block_number, block_time, tx_index
    order by block_time desc, touched.chain_id, block_number desc, tx_index desc`)

const depositSum = z.object({
  chainId: smallInteger,
  asset: hexText,
  pendingApproval: z.bigint(),
  approved: z.bigint(),
  declined: z.bigint(),
})

export const naiveDeposits = (connection: CommonQueryMethods, accountId: string) =>
  connection.any(sql.type(depositSum)`
    select deposit.chain_id as "chainId", registered.asset,
      coalesce(sum(deposit.value) filter (where
        coalesce(review.status, 'pending') = 'pending' or review.status = 'approved' and member.label is null
      ), 0) as "pendingApproval",
      coalesce(sum(deposit.value) filter (where review.status = 'approved' and member.label is not null), 0) as approved,
      coalesce(sum(deposit.value) filter (where review.status = 'declined'), 0) as declined
    from stealth_address
    join pool_event as deposit on deposit.account = address and deposit.kind = 'deposit'
    join pool_event as registered on registered.chain_id = deposit.chain_id
      and registered.kind = 'pool-registered' and registered.pool = deposit.contract
    left join asp_review as review
      on review.chain_id = deposit.chain_id and review.pool = deposit.contract and review.label = deposit.label
    left join asp_set as member on member.chain_id = deposit.chain_id and member.label = deposit.label
    where account_id = ${accountId} and not exists (
      select from pool_event as ragequit
      where ragequit.chain_id = deposit.chain_id and ragequit.contract = deposit.contract
        and ragequit.kind = 'ragequit' and ragequit.label = deposit.label
    )
    group by deposit.chain_id, registered.asset order by 1, 2`)

export const naiveHasDeposits = (connection: CommonQueryMethods, accountId: string) =>
  connection.exists(sql.typeAlias('void')`
    select from stealth_address join pool_event on pool_event.account = address
    where account_id = ${accountId} and kind = 'deposit'`)

const holding = z.object({
  address: hexText,
  chainId: smallInteger,
  token: hexText,
  amount: z.bigint(),
  locked: z.bigint(),
})

/** Each address's holding of each token of an account, and its locked part, by derivationNonce. */
export const naiveHoldings = (connection: CommonQueryMethods, accountId: string) =>
  connection.any(sql.type(holding)`
    select address, holding.chain_id as "chainId", holding.token, holding.amount,
      coalesce(locked_funds.amount, 0) as locked
    from stealth_address join holding using (address) left join locked_funds using (chain_id, address, token)
    where account_id = ${accountId} and standard in ('native', 'erc20') and holding.amount > 0
    order by derivation_nonce, holding.chain_id, holding.token`)

const locked = z.object({ chainId: smallInteger, token: hexText, amount: z.bigint() })

/** Amounts that quotes have reserved of all addresses of an account. */
export const naiveLocks = (connection: CommonQueryMethods, accountId: string) =>
  connection.any(sql.type(locked)`
    select chain_id as "chainId", token, sum(amount) as amount
    from stealth_address join locked_funds using (address)
    where account_id = ${accountId} group by chain_id, token`)

export const naiveAddresses = (connection: CommonQueryMethods, accountId: string) =>
  connection.anyFirst(sql.type(z.object({ address: hexText }))`
    select address from stealth_address where account_id = ${accountId} order by derivation_nonce`)
