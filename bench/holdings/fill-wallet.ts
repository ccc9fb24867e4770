import { createHash } from 'node:crypto'
import type { DatabasePool } from 'slonik'
import { getAddress, zeroAddress, type Address } from 'viem'
import { sql } from '../../db/connect-database.ts'

/** Addresses of a wallet that still have holdings: its newest. */
export const FUNDED = 20

/** The payer of every address of these wallets. */
export const POOL = getAddress(`0x${'b001'.padStart(40, '0')}`)

/** Registers the pool that wallets deposit into. */
export async function registerPool(database: DatabasePool, chainId: number, asset: Address): Promise<void> {
  await database.query(sql.typeAlias('void')`
    insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, pool, asset)
    values (${chainId}, '0xb0', 0, 0, now(), '0xb0', 'pool-registered', ${zeroAddress}, ${POOL}, ${asset})`)
}

/**
 * Makes an account a wallet that hands out an address for each payment. Every address was paid once; all but the newest have
 * deposited the payment in the pool and are empty.
 *
 * @param wallet.tokens Tokens of the newest addresses; they were paid in the first.
 * @param wallet.funded Number of addresses that still have holdings.
 * @param wallet.daysOld Age of its addresses in days; a running indexer searches for the past of those that are older than
 * its blocks.
 */
export async function fillWallet(
  database: DatabasePool,
  wallet: {
    chainId: number
    accountId: string
    addresses: number
    tokens: readonly Address[]
    funded?: number
    daysOld?: number
  },
): Promise<void> {
  const { chainId, accountId, addresses, tokens, funded = FUNDED, daysOld = 60 } = wallet
  const derived = Array.from({ length: addresses }, (_, nonce) => {
    const digits = createHash('sha256').update(`${accountId} ${nonce}`).digest('hex').slice(0, 40)
    return getAddress(`0x${digits}`)
  })
  const run = sql.typeAlias('void')
  const paid = sql.fragment`(
    select address, derivation_nonce as nonce, derivation_nonce < ${addresses - funded} as used,
      '0x' || md5(address) || md5(address || 'tx') as tx_hash, '0x' || md5(address || 'block') as block_hash,
      1 + derivation_nonce as block_number, now() - (${addresses} - derivation_nonce) * interval '1 minute' as paid_at
    from stealth_address where account_id = ${accountId}::uuid
  ) as paid`
  await database.query(run`
    insert into stealth_address (address, account_id, derivation_nonce, generation_context, created_at)
    select address, ${accountId}::uuid, place - 1, 'external', now() - ${daysOld} * interval '1 day'
    from unnest(${sql.array(derived, 'text')}) with ordinality as derived (address, place)`)
  await database.query(run`
    update account set next_derivation_nonce = ${addresses} where id = ${accountId}::uuid`)
  await database.query(run`
    insert into indexed_tx (chain_id, tx_hash, block_hash, block_number, block_time, tx_index, from_address, to_address,
      tx_nonce, value, succeeded, gas_used, fee)
    select ${chainId}, tx_hash, block_hash, block_number, paid_at, 0, 'payer', address, 0, 0, true, 21000, 1 from ${paid}`)
  await database.query(run`
    insert into transfer (chain_id, block_hash, source, position, block_number, block_time, tx_hash, standard, token,
      from_address, to_address, amount)
    select ${chainId}, block_hash, 'log', 0, block_number, paid_at, tx_hash, 'erc20', ${tokens[0] ?? zeroAddress},
      ${POOL}, address, 1 + nonce from ${paid}`)
  await database.query(run`
    insert into address_tx (address, chain_id, tx_hash, block_number, block_time, tx_index)
    select address, ${chainId}, tx_hash, block_number, paid_at, 0 from ${paid}`)
  await database.query(run`
    insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, account,
      value, label)
    select ${chainId}, block_hash, 1, block_number, paid_at, tx_hash, 'deposit', ${POOL}, address, 1 + nonce,
      ('x' || substr(md5(address), 1, 15))::bit(60)::bigint from ${paid} where used`)
  await database.query(run`
    insert into asp_review (chain_id, pool, label, status)
    select ${chainId}, ${POOL}, ('x' || substr(md5(address), 1, 15))::bit(60)::bigint, 'approved' from ${paid} where used`)
  await database.query(run`
    insert into asp_set (chain_id, position, label)
    select ${chainId}, 1 + coalesce((select max(position) from asp_set where chain_id = ${chainId}), -1) + nonce,
      ('x' || substr(md5(address), 1, 15))::bit(60)::bigint from ${paid} where used`)
  await database.query(run`
    insert into locked_funds (chain_id, address, token, amount, ceiling)
    select ${chainId}, address, ${tokens[0] ?? zeroAddress}, 0, 1 + nonce from ${paid} where used`)
  await database.query(run`
    insert into holding (chain_id, address, standard, token, amount, stale, as_of_number, as_of_hash)
    select ${chainId}, address, 'erc20', token, 1 + nonce, false, 1, '0x00'
    from ${paid} cross join unnest(${sql.array([...tokens], 'text')}) as token where not used`)
}

/** Updates the planner's statistics. */
export async function analyzeWallets(database: DatabasePool): Promise<void> {
  await database.query(sql.typeAlias('void')`vacuum analyze`)
}
