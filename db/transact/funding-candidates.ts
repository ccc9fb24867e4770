import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../column-types.ts'
import { sql } from '../connect-database.ts'

const candidateRow = z.object({
  address: hexText,
  derivationNonce: smallInteger,
  /** Smallest unit. */
  amount: z.bigint(),
  /** Amount that quotes have reserved of it. */
  locked: z.bigint(),
  /** True if part of `locked` was spent and `amount` no longer includes it: that part can be released. */
  hasSpent: z.boolean(),
  /** True if it sent before, hence is already delegated. */
  hasSent: z.boolean(),
  /** True if an app knows it. */
  isShown: z.boolean(),
})
/** An address of an account with its balance of one token. */
export type CandidateRow = z.output<typeof candidateRow>

/** Lists the account's addresses with a balance of the token. One query. */
export function listFundingCandidates(
  connection: CommonQueryMethods,
  accountId: string,
  { chainId, token }: { chainId: number; token: string },
): Promise<readonly CandidateRow[]> {
  return connection.any(sql.type(candidateRow)`
    select address, derivation_nonce as "derivationNonce", holding.amount,
      coalesce(locked_funds.amount, 0) as locked,
      coalesce(locked_funds.amount, 0) > 0 and exists (
        select from reservation
        where (reservation.chain_id, reservation.address, reservation.token) = (holding.chain_id, address, holding.token)
          and released_at is null and spent_in_block <= as_of_number
      ) as "hasSpent",
      exists (
        select from intent_event
        where eoa = address and intent_event.chain_id = holding.chain_id and incremented
      ) as "hasSent",
      exists (select from dapp_use where dapp_use.address = stealth_address.address) as "isShown"
    from stealth_address
    join holding using (address)
    left join locked_funds using (chain_id, address, token)
    where holding.owner_account_id = ${accountId}::uuid and holding.chain_id = ${chainId} and holding.token = ${token}
      and standard in ('native', 'erc20') and holding.amount > 0
    order by derivation_nonce`)
}

const funding = z.object({ isPrivate: z.boolean() })

/**
 * True if an address last received a token from a pool: an Entrypoint sent exactly the amount of its event in the same
 * transaction. As far as the chain is indexed.
 * @param of `token`: a contract, not the native coin.
 */
export async function wasFundedPrivately(
  connection: CommonQueryMethods,
  { chainId, address, token }: { chainId: number; address: string; token: string },
): Promise<boolean> {
  const last = await connection.maybeOne(sql.type(funding)`
    select exists (
      select from pool_event as relay
      where relay.chain_id = last.chain_id and relay.tx_hash = last.tx_hash and relay.kind = 'relay'
        and relay.contract = last.from_address and relay.asset = last.token and relay.value - relay.fee = last.amount
    ) as "isPrivate"
    from (
      select chain_id, tx_hash, from_address, token, amount from transfer
      where chain_id = ${chainId} and to_address = ${address} and token = ${token} and standard = 'erc20' and amount > 0
      order by block_number desc, position desc limit 1
    ) as last`)
  return last?.isPrivate ?? false
}

const readRow = z.object({ address: hexText, amount: z.bigint(), asOfBlock: z.bigint() })
/** An address's balance of a token, and the block at which it was last read. */
type ReadHolding = z.output<typeof readRow>

/** Marks those holdings for a new read by the indexer. Skips locked ones: a read is already under way. */
export async function markForReading(
  connection: CommonQueryMethods,
  { chainId, token }: { chainId: number; token: string },
  addresses: readonly string[],
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    with wanted as materialized (
      select address from holding
      where address = any(${sql.array([...addresses], 'text')}) and chain_id = ${chainId} and standard = 'erc20'
        and token = ${token} and token_id = 0
      order by address for update skip locked
    )
    update holding set stale = true from wanted
    where holding.address = wanted.address and holding.chain_id = ${chainId} and holding.standard = 'erc20'
      and holding.token = ${token} and holding.token_id = 0`)
}

/** Lists the addresses' balances of the token now; an address without a balance may be absent. */
export function listHoldingsOf(
  connection: CommonQueryMethods,
  { chainId, token }: { chainId: number; token: string },
  addresses: readonly string[],
): Promise<readonly ReadHolding[]> {
  return connection.any(sql.type(readRow)`
    select address, amount, coalesce(as_of_number, -1) as "asOfBlock" from holding
    where address = any(${sql.array([...addresses], 'text')}) and chain_id = ${chainId} and standard = 'erc20'
      and token = ${token} and token_id = 0`)
}
