import type { Logger } from 'pino'
import { BaseError, ContractFunctionRevertedError, zeroAddress, type Address } from 'viem'
import type { RelayingChain } from '../../chain/nodes/chain.ts'
import type { AssetConfig } from '../../chain/nodes/relayer-config.ts'
import { entrypointAbi, poolAbi } from '../../chain/contracts/privacy-pools.ts'
import { followRoots, ROOT_HISTORY, type PoolRoots, type RootAge } from './follow-roots.ts'
import { computeScope } from './formulas.ts'
import { decodeToldPools, encodeToldPools } from './told-pools.ts'
import { paceReads } from '../../concurrency/pace-reads.ts'

/** Minimum milliseconds between two searches for roots that are not cached: forged proofs must not make the service poll. */
const REREAD_EVERY_MS = 200
/**
 * Number of following roots from which the age of a root is read again, to count roots inserted by others since the
 * last head. It fails only if more than eight are inserted between two heads.
 */
const OLD_AGE = ROOT_HISTORY - 8

/** A registered pool of one chain with its owner's settings. */
export interface Pool {
  readonly chainId: number
  readonly address: Address
  readonly asset: AssetConfig
  readonly scope: bigint
  /** Minimum deposit of the Entrypoint, vetting fee included, in the asset's smallest unit; read on every head. */
  readonly minDeposit: bigint
  /** The Entrypoint's fee on a deposit, in basis points of the gross amount; read on every head. */
  readonly vettingFeeBps: bigint
  /** Maximum relayFee of the Entrypoint in basis points; read on every head. */
  readonly maxRelayFeeBps: bigint
}

/** The settings that the owner of the Entrypoint may change at any time. */
type PoolTerms = Pick<Pool, 'minDeposit' | 'vettingFeeBps' | 'maxRelayFeeBps'>

/** The pools of one chain, with their roots as of a recent head. */
export interface PoolState {
  pools(): readonly Pool[]
  byScope(scope: bigint): Pool | undefined
  byAsset(asset: Address): Pool | undefined
  /** False until a read succeeded, and while the last one is too old. */
  isFresh(): boolean
  /** True while the search for a configured asset's pool has failed: a missing pool may still appear. */
  isIncomplete(): boolean
  /** True if the pool has that state root; a root that is not cached is searched on chain first. */
  knowsStateRoot(pool: Pool, root: bigint): Promise<boolean>
  /** True if the pool had no leaves at the last head. */
  isEmpty(pool: Pool): boolean
  /**
   * Returns how many roots have followed one; null if the pool does not remember it. Answers from the last read,
   * except for a root that may soon be forgotten. Others insert roots too, so the pool is then read again.
   */
  ageOfRoot(pool: Pool, root: bigint): Promise<RootAge | null>
  /**
   * Reads how many roots have followed one by the newest block, and which of some notes are spent by then: two round
   * trips. Null if the pool has another root in its place.
   * @param nullifierHashes The notes' nullifier hashes.
   */
  ageBeside(pool: Pool, root: bigint, nullifierHashes: readonly bigint[]): Promise<AgeBeside | null>
  /** Returns the Entrypoint's latest root as of the last head; null if it has none yet, or before the first read. */
  aspRoot(): bigint | null
  /** Calls the listener when the Entrypoint has a new latest root. @returns A function that unsubscribes. */
  onAspRoot(listener: () => void): () => void
  /** True if the root is the Entrypoint's latest; reads again before it returns false. */
  isLatestAspRoot(root: bigint): Promise<boolean>
  /** Asks the pool: one round trip. */
  isSpent(pool: Pool, nullifierHash: bigint): Promise<boolean>
}

/** The age of a root, and the notes spent at that block. */
export interface AgeBeside extends RootAge {
  /** The nullifier hashes of the spent notes. */
  spent: bigint[]
}

const isRevert = (cause: unknown) => cause instanceof ContractFunctionRevertedError

interface Cached {
  pool: Pool
  roots: PoolRoots
  /** Searches for new roots; concurrent calls share one read, at a limited rate. */
  reread: () => Promise<void>
}

/** Follows the pools of one chain, from before it is started. One `eth_call` per head, whatever the number of pools. */
export function followPools(chain: RelayingChain, logger: Logger): PoolState {
  const { contracts, config } = chain
  const log = logger.child({ chainId: config.chainId })
  const byAddress = new Map<Address, Cached>()
  const unread = new Set<Address>(config.relayer.assets.map(({ asset }) => asset))
  let aspRoot: bigint | null = null
  const aspListeners = new Set<() => void>()
  let hasRead = false
  /** Time of the first of the consecutive failed reads, in milliseconds; null after a success. */
  let failingSince: number | null = null
  const warned = new Set<string>()

  const readLatestRoot = () =>
    contracts.readContract({
      address: config.relayer.entrypoint,
      abi: entrypointAbi,
      functionName: 'latestRoot',
    })
  async function readAssetConfig(asset: Address): Promise<{ address: Address; terms: PoolTerms }> {
    const [address, minDeposit, vettingFeeBps, maxRelayFeeBps] = await contracts.readContract({
      address: config.relayer.entrypoint,
      abi: entrypointAbi,
      functionName: 'assetConfig',
      args: [asset],
    })
    return { address, terms: { minDeposit, vettingFeeBps, maxRelayFeeBps } }
  }

  async function readAspRoot(): Promise<void> {
    // An Entrypoint without any root reverts with NoRootsAvailable: no withdrawal is possible yet.
    const root = await readLatestRoot().catch((error: unknown) => {
      if (error instanceof BaseError && error.walk(isRevert)) return null
      throw error
    })
    noteAspRoot(root)
  }

  function noteAspRoot(root: bigint | null): void {
    if (root === aspRoot) return
    aspRoot = root
    for (const listener of aspListeners) listener()
  }
  const rereadAspRoot = paceReads(readAspRoot, REREAD_EVERY_MS)

  async function discover(asset: AssetConfig): Promise<void> {
    const { address, terms } = await readAssetConfig(asset.asset)
    if (address === zeroAddress) return isNotServed(asset, 'no pool is registered for it')
    const scope = computeScope(address, config.chainId, asset.asset)
    if ((await contracts.readContract({ address, abi: poolAbi, functionName: 'SCOPE' })) !== scope)
      return isNotServed(
        asset,
        `the pool at ${address} has another scope than its address, chain and asset give`,
      )
    const roots = followRoots(chain, address)
    const cached: Cached = {
      pool: { chainId: config.chainId, address, asset, scope, ...terms },
      roots,
      reread: paceReads(roots.refresh, REREAD_EVERY_MS),
    }
    await roots.refresh()
    byAddress.set(address, cached)
    unread.delete(asset.asset)
  }

  function isNotServed({ asset, symbol }: AssetConfig, problem: string): void {
    unread.delete(asset)
    if (!warned.has(symbol)) log.warn({ asset: symbol, problem }, 'an asset cannot be served')
    warned.add(symbol)
  }

  function listMissing(): readonly AssetConfig[] {
    const known = new Set([...byAddress.values()].map(({ pool }) => pool.asset.asset))
    return config.relayer.assets.filter(({ asset }) => !known.has(asset))
  }

  async function discoverMissing(): Promise<void> {
    const outcomes = await Promise.allSettled(listMissing().map(discover))
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed) throw failed.reason
  }

  async function refreshPool(cached: Cached): Promise<void> {
    const { address, asset } = cached.pool
    const [{ address: registered, terms }] = await Promise.all([
      readAssetConfig(asset.asset),
      cached.roots.refresh(),
    ])
    // Its owner removed or replaced it; the next head finds the new one.
    if (registered !== address) return void byAddress.delete(address)
    cached.pool = { ...cached.pool, ...terms }
  }

  async function refresh(): Promise<void> {
    const known = [...byAddress.values()]
    const discovery = discoverMissing()
    discovery.catch(() => undefined)
    try {
      await Promise.all([readAspRoot(), ...known.map(refreshPool)])
      hasRead = true
      failingSince = null
    } catch (error) {
      failingSince ??= Date.now()
      throw error
    }
    // One unreadable asset does not make the others stale.
    await discovery
  }

  function write(): string | null {
    const told = [...byAddress.values()].flatMap(({ pool, roots }) => {
      const { address, minDeposit, vettingFeeBps, maxRelayFeeBps } = pool
      const newest = roots.tell()
      return newest ? [{ address, minDeposit, vettingFeeBps, maxRelayFeeBps, roots: newest }] : []
    })
    if (!hasRead || unread.size > 0 || told.length < byAddress.size) return null
    return encodeToldPools({ aspRoot, pools: told, missing: listMissing().map(({ asset }) => asset) })
  }

  /** Accepts only a continuation of the known state: an instance reads new or removed pools itself. */
  function take(text: string): boolean {
    const told = decodeToldPools(text)
    const known = [...byAddress.values()]
    if (!told || !hasRead || unread.size > 0 || told.pools.length !== known.length) return false
    if (listMissing().some(({ asset }) => !told.missing.includes(asset))) return false
    for (const cached of known) {
      const found = told.pools.find(({ address }) => address === cached.pool.address)
      if (!found || !cached.roots.take(found.roots)) return false
      const { minDeposit, vettingFeeBps, maxRelayFeeBps } = found
      cached.pool = { ...cached.pool, minDeposit, vettingFeeBps, maxRelayFeeBps }
    }
    noteAspRoot(told.aspRoot)
    failingSince = null
    return true
  }
  chain.onHeadRead({ name: 'pools', read: refresh, write, take })

  const find = (test: (pool: Pool) => boolean) => [...byAddress.values()].map(({ pool }) => pool).find(test)

  return {
    pools: () => [...byAddress.values()].map(({ pool }) => pool),
    byScope: (scope) => find((pool) => pool.scope === scope),
    byAsset: (asset) => find((pool) => pool.asset.asset === asset),
    isFresh() {
      const head = chain.head()
      if (!head || !hasRead) return false
      return Date.now() - Math.min(head.seenAt, failingSince ?? head.seenAt) <= config.staleAfterMs
    },
    isIncomplete: () => unread.size > 0,
    async knowsStateRoot(pool, root) {
      const cached = byAddress.get(pool.address)
      if (!cached) return false
      if (!cached.roots.ageOf(root)) await cached.reread()
      return cached.roots.ageOf(root) !== null
    },
    isEmpty: (pool) => byAddress.get(pool.address)?.roots.size() === 0,
    async ageOfRoot(pool, root) {
      const cached = byAddress.get(pool.address)
      const age = cached?.roots.ageOf(root) ?? null
      if (!cached || !age || age.followers < OLD_AGE) return age
      await cached.reread()
      return cached.roots.ageOf(root)
    },
    async ageBeside({ address }, root, nullifierHashes) {
      const roots = byAddress.get(address)?.roots
      if (!roots) return null
      // Reads the newest block, because strangers may have inserted roots since the last head; all at one block, as
      // in readAll.
      const asOf = await chain.client.getBlockNumber({ cacheTime: 0 })
      const [followers, ...isSpent] = await Promise.all([
        roots.countFollowers(root, asOf),
        ...nullifierHashes.map((nullifierHash) =>
          contracts.readContract({
            address,
            abi: poolAbi,
            functionName: 'nullifierHashes',
            args: [nullifierHash],
            blockNumber: asOf,
          }),
        ),
      ])
      if (followers === null) return null
      return { followers, asOf, spent: nullifierHashes.filter((_, index) => isSpent[index]) }
    },
    aspRoot: () => aspRoot,
    onAspRoot(listener) {
      aspListeners.add(listener)
      return () => void aspListeners.delete(listener)
    },
    async isLatestAspRoot(root) {
      if (root !== aspRoot) await rereadAspRoot()
      return root === aspRoot
    },
    isSpent: (pool, nullifierHash) =>
      chain.client.readContract({
        address: pool.address,
        abi: poolAbi,
        functionName: 'nullifierHashes',
        args: [nullifierHash],
      }),
  }
}
