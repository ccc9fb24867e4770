import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { byAccount } from '../../account-table.ts'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

/** How an account's erasure and export treat the table. */
export const collectibleDepositTable = byAccount('collectible_deposit')

/** A contract whose tokens waive fees. The contract is checksummed. */
export interface CollectionKey {
  chainId: number
  contract: string
}

const served = (collections: readonly CollectionKey[]) =>
  sql.fragment`${sql.unnest(
    collections.map(({ chainId, contract }) => [chainId, contract]),
    ['int8', 'text'],
  )} as served (chain_id, contract)`

const token = z.object({
  chainId: smallInteger,
  contract: hexText,
  tokenId: z.bigint(),
  /** The account's address that holds it. */
  address: hexText,
})
/** A collectible at an address of an account. */
export type HeldCollectible = z.output<typeof token>

/**
 * Lists unrecorded collectibles at receiving addresses of the account that never sent anything on an indexed chain,
 * newest address first, at most `limit`. Logs do not count as sending. Any contract can log that an address sent
 * something, and any caller can make the orchestrator report an intent that did nothing.
 */
export function listUnrecorded(
  connection: CommonQueryMethods,
  accountId: string,
  collections: readonly CollectionKey[],
  limit: number,
): Promise<readonly HeldCollectible[]> {
  return connection.any(sql.type(token)`
    select held.chain_id as "chainId", held.token as contract, held.token_id as "tokenId", held.address
    from ${served(collections)}
    join holding as held on held.chain_id = served.chain_id and held.token = served.contract
    join stealth_address as own on own.address = held.address
    where held.owner_account_id = ${accountId}::uuid and held.standard = 'erc721' and held.amount > 0 and not held.stale
      and own.generation_context is distinct from 'fund-movement'
      and not exists (
        select from collectible_deposit as known
        where known.chain_id = held.chain_id and known.contract = held.token and known.token_id = held.token_id
          and known.account_id = ${accountId}::uuid and known.address = held.address and known.left_at is null
      )
      and not exists (select from transfer where from_address = held.address and source = 'call')
      and not exists (select from indexed_tx where from_address = held.address)
      and not exists (select from intent_event where eoa = held.address and incremented)
    order by own.derivation_nonce desc, held.token_id limit ${limit}`)
}

/**
 * Records collectibles at addresses of an account, and ends their records elsewhere. A collectible already recorded at
 * its address keeps its record.
 */
export function recordDeposits(
  connection: CommonQueryMethods,
  accountId: string,
  deposits: readonly HeldCollectible[],
): Promise<void> {
  const rows = sql.fragment`${sql.unnest(
    deposits.map(({ chainId, contract, tokenId, address }) => [chainId, contract, String(tokenId), address]),
    ['int8', 'text', 'numeric', 'text'],
  )} as found (chain_id, contract, token_id, address)`
  return connection.transaction(async (transaction) => {
    await transaction.query(sql.typeAlias('void')`
      update collectible_deposit as known set left_at = now() from ${rows}
      where known.chain_id = found.chain_id and known.contract = found.contract and known.token_id = found.token_id
        and left_at is null and (known.account_id, known.address) is distinct from (${accountId}::uuid, found.address)`)
    await transaction.query(sql.typeAlias('void')`
      insert into collectible_deposit (chain_id, contract, token_id, account_id, address)
      select chain_id, contract, token_id, ${accountId}::uuid, address from ${rows}
      order by chain_id, contract, token_id on conflict do nothing`)
  })
}

/**
 * The recorded collectibles that the account still holds, as `own`. The indexer's current holdings decide: a reorg that
 * reverts a receipt also removes the collectible here.
 */
const heldBy = (accountId: string, collections: readonly CollectionKey[]) => sql.fragment`
  ${served(collections)}
  join collectible_deposit as own on own.chain_id = served.chain_id and own.contract = served.contract
    and own.account_id = ${accountId}::uuid
  join holding as held on held.address = own.address and held.chain_id = own.chain_id and held.standard = 'erc721'
    and held.token = own.contract and held.token_id = own.token_id and held.amount > 0`

/** True unless another account recorded the token of `own` within a day, for a receipt that is still on its chain. */
const isCounted = sql.fragment`not exists (
  select from collectible_deposit as other
  where other.chain_id = own.chain_id and other.contract = own.contract and other.token_id = own.token_id
    and other.account_id <> own.account_id and other.recorded_at > now() - interval '24 hours'
    and exists (
      select from transfer where transfer.to_address = other.address and transfer.chain_id = other.chain_id
        and transfer.standard = 'erc721' and transfer.token = other.contract and transfer.token_id = other.token_id
    )
)`

/** Condition: the account holds a recorded collectible that counts. */
export const isWaivedByCollectible = (accountId: string, collections: readonly CollectionKey[]) =>
  sql.fragment`exists (select from ${heldBy(accountId, collections)} where ${isCounted})`

const deposit = token.extend({
  /** False where it waived another account's fees within a day. */
  counts: z.boolean(),
})
/** A recorded collectible that its account still holds. */
export type CollectibleDepositRow = z.output<typeof deposit>

/** Lists the recorded collectibles that the account still holds, in the order of recording. */
export function listDeposits(
  connection: CommonQueryMethods,
  accountId: string,
  collections: readonly CollectionKey[],
): Promise<readonly CollectibleDepositRow[]> {
  return connection.any(sql.type(deposit)`
    select own.chain_id as "chainId", own.contract, own.token_id as "tokenId", own.address, bool_and(${isCounted}) as counts
    from ${heldBy(accountId, collections)}
    group by own.chain_id, own.contract, own.token_id, own.address
    order by min(own.recorded_at), own.token_id`)
}

const depositor = token.extend({ derivationNonce: smallInteger })
/** A collectible that can be sent away, and the address that holds it. */
export type WithdrawableCollectible = z.output<typeof depositor>

/** Finds the recorded collectible with that number at an address of the account; null unless it is still held. */
export function findHeldCollectible(
  connection: CommonQueryMethods,
  accountId: string,
  collections: readonly CollectionKey[],
  { address, tokenId }: { address: string; tokenId: bigint },
): Promise<WithdrawableCollectible | null> {
  return connection.maybeOne(sql.type(depositor)`
    select own.chain_id as "chainId", own.contract, own.token_id as "tokenId", own.address,
      holder.derivation_nonce as "derivationNonce"
    from ${heldBy(accountId, collections)} join stealth_address as holder on holder.address = own.address
    where own.address = ${address} and own.token_id = ${tokenId}
    order by own.recorded_at limit 1`)
}
