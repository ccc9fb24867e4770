import { setWithPools, type ChainLease } from '../../../db/chain/indexer/indexed-chains.ts'
import { resetChain } from '../../../db/chain/indexer/pop-blocks.ts'
import { readPoolContracts } from '../../../db/chain/indexer/read-pool-events.ts'
import { forgetToken } from '../../../db/chain/indexer/holdings.ts'
import { isSilence } from '../errors.ts'
import { NATIVE_ASSET } from '../nodes/config.ts'
import { hasPools } from '../nodes/relayer-config.ts'
import { entrypointAbi } from '../contracts/privacy-pools.ts'
import type { ChainIndex } from './chain-index.ts'
import { onChain } from './commit-blocks.ts'
import { loadWatched } from './watch-newcomers.ts'

/**
 * Loads the state that the previous holder of the lease left, and adopts the settings of this instance. No work of an
 * earlier lease may run meanwhile, because it relies on the state of that lease.
 *
 * @throws If the database or the chain's nodes do not answer; the state is then loaded in part.
 */
export async function takeOverChain(index: ChainIndex, lease: ChainLease): Promise<void> {
  const { pool, chainId } = index
  index.term = lease.term
  const pools = [...(await readPoolContracts(pool, chainId)), ...(await findConfiguredPools(index))]
  index.poolContracts.clear()
  for (const address of pools) index.poolContracts.add(address)
  index.cursor = { number: lease.blockNumber, hash: lease.blockHash }
  index.untracedTo = lease.untracedTo
  index.sweptTo = lease.sweptTo
  index.sweep = null
  index.stuck = null
  index.requested = lease.blockNumber
  index.newcomersFrom = null
  index.mayWait = true
  index.passTip = null
  index.endpoints.clear()
  await loadWatched(index)
  await adoptSettings(index, lease)
  const { coinToken } = index.chain.config
  if (coinToken) await onChain(index, (transaction) => forgetToken(transaction, chainId, coinToken))
}

/** Finds the pools that existed before the first indexed block. */
async function findConfiguredPools({ chain, log }: ChainIndex): Promise<string[]> {
  const { client, config } = chain
  const { relayer } = config
  if (!relayer) return []
  const found = await Promise.all(
    relayer.assets.map(({ asset }) =>
      client
        .readContract({
          address: relayer.entrypoint,
          abi: entrypointAbi,
          functionName: 'assetConfig',
          args: [asset ?? NATIVE_ASSET],
        })
        .catch((error: unknown) => {
          if (isSilence(error)) throw error
          log.warn({ err: error, asset }, 'the Entrypoint tells no pool of an asset')
          return null
        }),
    ),
  )
  return found.flatMap((answer) => answer?.[0] ?? [])
}

/** Reads everything again where the configuration requires more than was read. */
async function adoptSettings(index: ChainIndex, { startBlock, withPools }: ChainLease): Promise<void> {
  const { chainId, log } = index
  const wantsPools = hasPools(index.chain.config.relayer)
  const isMoved = startBlock !== index.startBlock
  const lacksPools = wantsPools && !withPools
  if (!isMoved && wantsPools === withPools) return
  await onChain(index, async (transaction) => {
    if (isMoved || lacksPools) await resetChain(transaction, chainId, index.startBlock, null)
    await setWithPools(transaction, chainId, wantsPools)
  })
  if (!isMoved && !lacksPools) return
  index.cursor = { number: index.startBlock - 1n, hash: null }
  index.untracedTo = null
  index.sweptTo = null
  const why = isMoved ? 'the start block is another' : 'the chain has pools now'
  log.info({ startBlock: index.startBlock }, `${why}: everything is read again`)
}
