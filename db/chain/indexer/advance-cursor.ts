import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import { ChainLostError } from './indexed-chains.ts'

/** The header members of an indexed block that are stored. */
export interface NewBlock {
  number: bigint
  hash: string
  parentHash: string
  /** Seconds. */
  timestamp: number
}

/** A move of a chain's cursor over consecutive blocks that follow it. */
export interface CursorMove {
  /** Position of the cursor; `hash` is null before the first block. */
  from: { number: bigint; hash: string | null }
  /** At least one, in order. */
  blocks: readonly NewBlock[]
  /** Newest block that did not show all moves of native coins; null if all blocks did. */
  untracedTo: bigint | null
  /** Lowest block that stays stored: no reorg reaches below it. */
  keepFrom: bigint
}

/** A block's timestamp as ISO text, for a timestamptz parameter. */
const timeOf = ({ timestamp }: NewBlock): string => new Date(timestamp * 1_000).toISOString()

/**
 * Moves the cursor and stores the headers of the new blocks, which later reveal a reorg. Deletes blocks and zero
 * holdings that no reorg can reach any more. One statement, because most blocks need nothing else.
 * @throws ChainLostError when `owner` no longer holds the chain for this term, or the cursor has moved.
 */
export async function advanceCursor(
  connection: CommonQueryMethods,
  { chainId, owner, term }: { chainId: number; owner: string; term: bigint },
  { from, blocks, untracedTo, keepFrom }: CursorMove,
): Promise<void> {
  const last = blocks.at(-1)
  if (!last) return
  const moved = await connection.maybeOne(sql.type(z.object({ chainId: smallInteger }))`
    with chain as (
      update indexed_chain set block_number = ${last.number}, block_hash = ${last.hash},
        untraced_to = greatest(untraced_to, ${untracedTo}::bigint), updated_at = now()
      where chain_id = ${chainId} and lease_owner = ${owner}::uuid and lease_term = ${term} and lease_until > now()
        and block_number = ${from.number} and block_hash is not distinct from ${from.hash}
      returning chain_id
    ), kept as (
      insert into indexed_block (chain_id, number, hash, parent_hash, mined_at)
      select chain_id, number, hash, parent_hash, mined_at from chain cross join ${sql.unnest(
        blocks.map((block) => [block.number, block.hash, block.parentHash, timeOf(block)]),
        ['int8', 'text', 'text', 'timestamptz'],
      )} as block (number, hash, parent_hash, mined_at)
    ), forgotten as (
      delete from indexed_block using chain
      where indexed_block.chain_id = chain.chain_id and number < ${keepFrom}
    ), emptied as (
      delete from holding using chain
      where holding.chain_id = chain.chain_id and amount = 0 and not stale and problem is null
        and as_of_number < ${keepFrom}
    )
    select chain_id as "chainId" from chain`)
  if (!moved) throw new ChainLostError(`chain ${chainId} is indexed by another instance`)
}
