import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

const FACTS = [
  'transfer',
  'indexed_tx',
  'address_tx',
  'pool_event',
  'intent_event',
  'bridge_event',
  'cash_event',
] as const

/**
 * Removes all blocks above an ancestor, and marks holdings read from them as stale. The caller moves the cursor.
 * @returns Addresses that the removed facts touched, and whether pool events were among them.
 */
export async function popBlocks(
  transaction: CommonQueryMethods,
  chainId: number,
  ancestor: bigint,
  blocks: number,
): Promise<{ addresses: readonly string[]; pools: boolean }> {
  const addresses = await transaction.anyFirst(sql.type(z.object({ address: hexText }))`
    select distinct address from address_tx where chain_id = ${chainId} and block_number > ${ancestor}
    union select address from bridge_event where chain_id = ${chainId} and block_number > ${ancestor}
    union select address from cash_event where chain_id = ${chainId} and block_number > ${ancestor}
    union select address from holding where chain_id = ${chainId} and as_of_number > ${ancestor} and amount > 0`)
  const pools = await transaction.exists(sql.typeAlias('void')`
    select from pool_event where chain_id = ${chainId} and block_number > ${ancestor}`)
  for (const table of FACTS)
    await transaction.query(sql.typeAlias('void')`
      delete from ${sql.identifier([table])} where chain_id = ${chainId} and block_number > ${ancestor}`)
  await transaction.query(sql.typeAlias('void')`
    delete from indexed_block where chain_id = ${chainId} and number > ${ancestor}`)
  await transaction.query(sql.typeAlias('void')`
    delete from left_out_block where chain_id = ${chainId} and number > ${ancestor}`)
  await transaction.query(sql.typeAlias('void')`
    update holding set stale = true where chain_id = ${chainId} and as_of_number > ${ancestor} and not stale`)
  // Blocks above the ancestor will be matched with every address watched now.
  await transaction.query(sql.typeAlias('void')`
    update watched_address set live_from = greatest(${ancestor + 1n}, coalesce(near_from, 0))
    where chain_id = ${chainId} and live_from > ${ancestor + 1n}`)
  await transaction.query(sql.typeAlias('void')`
    update indexed_chain set reorgs = reorgs + 1, deepest_reorg = greatest(deepest_reorg, ${blocks})
    where chain_id = ${chainId}`)
  return { addresses, pools }
}

/** Deletes everything read from a chain, to index it again from the start; watched addresses stay. */
export async function resetChain(
  transaction: CommonQueryMethods,
  chainId: number,
  startBlock: bigint,
  problem: string | null,
): Promise<void> {
  // Addresses that never held anything need no read: indexing finds what they receive.
  const held = await transaction.anyFirst(sql.type(z.object({ address: hexText }))`
    select distinct address from holding where chain_id = ${chainId}`)
  for (const table of [...FACTS, 'indexed_block', 'left_out_block', 'holding'] as const)
    await transaction.query(sql.typeAlias('void')`
      delete from ${sql.identifier([table])} where chain_id = ${chainId}`)
  await transaction.query(sql.typeAlias('void')`
    update watched_address set live_from = ${startBlock}, near_from = ${startBlock}, history_next = null,
      pass = null
    where chain_id = ${chainId}`)
  await transaction.query(sql.typeAlias('void')`
    insert into holding (chain_id, address, standard, token, stale)
    select ${chainId}, address, 'native', '0x0000000000000000000000000000000000000000', true
    from unnest(${sql.array([...held], 'text')}) as was_held (address)`)
  await transaction.query(sql.typeAlias('void')`
    update indexed_chain set start_block = ${startBlock}, block_number = ${startBlock - 1n}, block_hash = null,
      pass_block = null, pass_end = null, state = 'resyncing', untraced_to = null, swept_to = null, problem = ${problem}, resyncs = resyncs + 1, updated_at = now()
    where chain_id = ${chainId}`)
}
