import {
  findStale,
  listHeldTokens,
  readNativeAmounts,
  type HoldingKey,
  type Reading,
} from '../../../db/chain/indexer/holdings.ts'
import { confirmWatched, readWatched } from '../../../db/chain/indexer/watched-addresses.ts'
import { zeroAddress, type Address, type Hash } from 'viem'
import { setSweptTo } from '../../../db/chain/indexer/indexed-chains.ts'
import { isSweepOwed, type ChainIndex } from './chain-index.ts'
import { onChain } from './commit-blocks.ts'
import { readGroups } from './read-balances.ts'
import { separateOwners } from './address-filter.ts'

/**
 * Reads some stale holdings again, as of the newest indexed block.
 * @returns True if there may be more.
 */
export async function settleHoldings(index: ChainIndex): Promise<boolean> {
  const { pool, chainId, config, nodes, cursor } = index
  const { number, hash } = cursor
  if (hash === null) return false
  const keys = await findStale(pool, chainId, config.holdingsPerRead)
  if (keys.length === 0) return false
  const read = await readGroups(nodes, separateOwners(keys), hash)
  await onChain(index, (_, writer) => writer.balances(read, { number, hash }))
  const before = new Map(keys.map((key) => [nameOf(key), key.amount]))
  // A new address that turns out empty is no change.
  const moved = read.readings.filter((reading) => reading.amount !== before.get(nameOf(reading)))
  if (moved.length > 0) publishMoved(index, moved, { number, hash })
  return keys.length === config.holdingsPerRead
}

function publishMoved(
  index: ChainIndex,
  moved: readonly Reading[],
  { number, hash }: { number: bigint; hash: Hash },
): void {
  index.publish({
    blockNumber: number,
    blockHash: hash,
    addresses: [...new Set(moved.map(({ address }) => address))],
    pools: false,
    reorg: false,
  })
}

const nameOf = ({ address, standard, token, tokenId }: HoldingKey) =>
  `${address} ${standard} ${token} ${tokenId}`

const TOKENS_EVERY_MS = 60_000

/** Compares some held tokens a minute with their contracts: some balances change without a log. */
export function createTokenSweep(index: ChainIndex): () => Promise<void> {
  const { pool, chainId, config, nodes } = index
  const first = { address: '', token: '' }
  let after = first
  let sweptAt = -Infinity

  return async () => {
    const { number, hash } = index.cursor
    if (config.tokensPerSweep === 0 || hash === null || performance.now() - sweptAt < TOKENS_EVERY_MS) return
    sweptAt = performance.now()
    const held = await listHeldTokens(pool, chainId, after, config.tokensPerSweep)
    after = held.length < config.tokensPerSweep ? first : (held.at(-1) ?? first)
    if (held.length === 0) return
    const { readings } = await readGroups(nodes, separateOwners(held), hash)
    const before = new Map(held.map((key) => [nameOf(key), key.amount]))
    const moved = readings.filter((reading) => reading.amount !== before.get(nameOf(reading)))
    if (moved.length === 0) return
    await onChain(index, (_, writer) => writer.balances({ readings: moved, unread: [] }, { number, hash }))
    publishMoved(index, moved, { number, hash })
  }
}

/** After a block that did not show all moves of native coins, compares all watched native balances, some after each head. */
export function createSweep(index: ChainIndex): () => Promise<void> {
  const { pool, chainId, config, nodes } = index
  let sweptAt: string | null = null

  return async () => {
    const { number, hash } = index.cursor
    if (!isSweepOwed(index) || config.sweepPerHead === 0 || hash === null || hash === sweptAt) return
    sweptAt = hash
    const sweep = (index.sweep ??= { after: '', upTo: number })
    const addresses = await readWatched(pool, chainId, sweep.after, config.sweepPerHead)
    await compare(addresses, { number, hash })
    sweep.after = addresses.at(-1) ?? ''
    if (addresses.length === config.sweepPerHead) return
    await onChain(index, (transaction) => setSweptTo(transaction, chainId, sweep.upTo))
    index.sweptTo = sweep.upTo
    index.sweep = null
  }

  async function compare(addresses: readonly Address[], { number, hash }: { number: bigint; hash: Hash }) {
    if (addresses.length === 0) return
    const owners = await confirmWatched(pool, chainId, addresses)
    const keys = addresses.map((address) => ({
      address,
      owner: owners.get(address) ?? address,
      standard: 'native' as const,
      token: zeroAddress,
      tokenId: 0n,
    }))
    const { readings } = await readGroups(nodes, separateOwners(keys), hash)
    const written = new Map(
      (await readNativeAmounts(pool, chainId, addresses)).map(({ address, amount }) => [address, amount]),
    )
    const moved = readings.filter(({ address, amount }) => amount !== (written.get(address) ?? 0n))
    if (moved.length === 0) return
    await onChain(index, (_, writer) => writer.balances({ readings: moved, unread: [] }, { number, hash }))
    publishMoved(index, moved, { number, hash })
  }
}
