import type { Logger } from 'pino'
import { BaseError, ContractFunctionRevertedError, zeroAddress, type Address } from 'viem'
import type { RelayingChain } from '../../chain/nodes/chain.ts'
import { hasPools, type AssetConfig } from '../../chain/nodes/relayer-config.ts'
import { entrypointAbi, poolAbi } from '../../chain/contracts/privacy-pools.ts'
import { followRoots, ROOT_HISTORY, type PoolRoots, type RootAge } from './follow-roots.ts'
import { computeScope } from './formulas.ts'
import { decodeToldPools, encodeToldPools } from './told-pools.ts'
import { paceReads } from '../../concurrency/even-times.ts'

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

async function readAssetConfig(
  { contracts, config }: RelayingChain,
  asset: Address,
): Promise<{ address: Address; terms: PoolTerms }> {
  const [address, minDeposit, vettingFeeBps, maxRelayFeeBps] = await contracts.readContract({
    address: config.relayer.entrypoint,
    abi: entrypointAbi,
    functionName: 'assetConfig',
    args: [asset],
  })
  return { address, terms: { minDeposit, vettingFeeBps, maxRelayFeeBps } }
}

/** The Entrypoint's latest root as of the last read, with its listeners. */
class LatestAspRoot {
  readonly #chain: RelayingChain
  readonly #listeners = new Set<() => void>()
  readonly #reread = paceReads(() => this.read(), REREAD_EVERY_MS)
  #value: bigint | null = null

  constructor(chain: RelayingChain) {
    this.#chain = chain
  }

  get value(): bigint | null {
    return this.#value
  }

  async read(): Promise<void> {
    const { contracts, config } = this.#chain
    if (!hasPools(config.relayer)) return
    const reading = contracts.readContract({
      address: config.relayer.entrypoint,
      abi: entrypointAbi,
      functionName: 'latestRoot',
    })
    // An Entrypoint without any root reverts with NoRootsAvailable: no withdrawal is possible yet.
    const root = await reading.catch((error: unknown) => {
      if (error instanceof BaseError && error.walk(isRevert)) return null
      throw error
    })
    this.note(root)
  }

  note(root: bigint | null): void {
    if (root === this.#value) return
    this.#value = root
    for (const listener of this.#listeners) listener()
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async isLatest(root: bigint): Promise<boolean> {
    if (root !== this.#value) await this.#reread()
    return root === this.#value
  }
}

class FollowedPools implements PoolState {
  readonly #chain: RelayingChain
  readonly #log: Logger
  readonly #byAddress = new Map<Address, Cached>()
  readonly #unread: Set<Address>
  readonly #latestAspRoot: LatestAspRoot
  #hasRead = false
  /** Time of the first of the consecutive failed reads, in milliseconds; null after a success. */
  #failingSince: number | null = null
  readonly #warned = new Set<string>()

  constructor(chain: RelayingChain, logger: Logger) {
    const { chainId, relayer } = chain.config
    this.#chain = chain
    this.#log = logger.child({ chainId })
    this.#unread = new Set(relayer.assets.map(({ asset }) => asset))
    this.#latestAspRoot = new LatestAspRoot(chain)
  }

  async #discover(asset: AssetConfig): Promise<void> {
    const { chainId } = this.#chain.config
    const { address, terms } = await readAssetConfig(this.#chain, asset.asset)
    if (address === zeroAddress) return this.#warnNotServed(asset, 'no pool is registered for it')
    const scope = computeScope(address, chainId, asset.asset)
    const readScope = { address, abi: poolAbi, functionName: 'SCOPE' } as const
    if ((await this.#chain.contracts.readContract(readScope)) !== scope)
      return this.#warnNotServed(
        asset,
        `the pool at ${address} has another scope than its address, chain and asset give`,
      )
    const roots = followRoots(this.#chain, address)
    const cached: Cached = {
      pool: { chainId, address, asset, scope, ...terms },
      roots,
      reread: paceReads(() => roots.refresh(), REREAD_EVERY_MS),
    }
    await roots.refresh()
    this.#byAddress.set(address, cached)
    this.#unread.delete(asset.asset)
  }

  #warnNotServed({ asset, symbol }: AssetConfig, problem: string): void {
    this.#unread.delete(asset)
    if (!this.#warned.has(symbol)) this.#log.warn({ asset: symbol, problem }, 'an asset cannot be served')
    this.#warned.add(symbol)
  }

  #listMissing(): readonly AssetConfig[] {
    const known = new Set(this.pools().map(({ asset }) => asset.asset))
    return this.#chain.config.relayer.assets.filter(({ asset }) => !known.has(asset))
  }

  async #discoverMissing(): Promise<void> {
    const outcomes = await Promise.allSettled(this.#listMissing().map((asset) => this.#discover(asset)))
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed) throw failed.reason
  }

  async #refreshPool(cached: Cached): Promise<void> {
    const { address, asset } = cached.pool
    const [{ address: registered, terms }] = await Promise.all([
      readAssetConfig(this.#chain, asset.asset),
      cached.roots.refresh(),
    ])
    // Its owner removed or replaced it; the next head finds the new one.
    if (registered !== address) return void this.#byAddress.delete(address)
    cached.pool = { ...cached.pool, ...terms }
  }

  /** Reads everything on a new head. */
  async refresh(): Promise<void> {
    const known = [...this.#byAddress.values()]
    const discovery = this.#discoverMissing()
    discovery.catch(() => undefined)
    try {
      await Promise.all([this.#latestAspRoot.read(), ...known.map((cached) => this.#refreshPool(cached))])
      this.#hasRead = true
      this.#failingSince = null
    } catch (error) {
      this.#failingSince ??= Date.now()
      throw error
    }
    // One unreadable asset does not make the others stale.
    await discovery
  }

  /** Encodes the last read for other instances; null while it is incomplete. */
  write(): string | null {
    const told = [...this.#byAddress.values()].flatMap(({ pool, roots }) => {
      const { address, minDeposit, vettingFeeBps, maxRelayFeeBps } = pool
      const newest = roots.tell()
      return newest ? [{ address, minDeposit, vettingFeeBps, maxRelayFeeBps, roots: newest }] : []
    })
    if (!this.#hasRead || this.isIncomplete() || told.length < this.#byAddress.size) return null
    const missing = this.#listMissing().map(({ asset }) => asset)
    return encodeToldPools({ aspRoot: this.aspRoot(), pools: told, missing })
  }

  /** Accepts only a continuation of the known state: an instance reads new or removed pools itself. */
  take(text: string): boolean {
    const told = decodeToldPools(text)
    const known = [...this.#byAddress.values()]
    if (!told || !this.#hasRead || this.isIncomplete() || told.pools.length !== known.length) return false
    if (this.#listMissing().some(({ asset }) => !told.missing.includes(asset))) return false
    for (const cached of known) {
      const found = told.pools.find(({ address }) => address === cached.pool.address)
      if (!found || !cached.roots.take(found.roots)) return false
      const { minDeposit, vettingFeeBps, maxRelayFeeBps } = found
      cached.pool = { ...cached.pool, minDeposit, vettingFeeBps, maxRelayFeeBps }
    }
    this.#latestAspRoot.note(told.aspRoot)
    this.#failingSince = null
    return true
  }

  pools(): readonly Pool[] {
    return [...this.#byAddress.values()].map(({ pool }) => pool)
  }

  byScope(scope: bigint): Pool | undefined {
    return this.pools().find((pool) => pool.scope === scope)
  }

  byAsset(asset: Address): Pool | undefined {
    return this.pools().find((pool) => pool.asset.asset === asset)
  }

  isFresh(): boolean {
    const head = this.#chain.head()
    if (!head || !this.#hasRead) return false
    const readAt = Math.min(head.seenAt, this.#failingSince ?? head.seenAt)
    return Date.now() - readAt <= this.#chain.config.staleAfterMs
  }

  isIncomplete(): boolean {
    return this.#unread.size > 0
  }

  async knowsStateRoot(pool: Pool, root: bigint): Promise<boolean> {
    const cached = this.#byAddress.get(pool.address)
    if (!cached) return false
    if (!cached.roots.ageOf(root)) await cached.reread()
    return cached.roots.ageOf(root) !== null
  }

  isEmpty(pool: Pool): boolean {
    return this.#byAddress.get(pool.address)?.roots.size() === 0
  }

  async ageOfRoot(pool: Pool, root: bigint): Promise<RootAge | null> {
    const cached = this.#byAddress.get(pool.address)
    const age = cached?.roots.ageOf(root) ?? null
    if (!cached || !age || age.followers < OLD_AGE) return age
    await cached.reread()
    return cached.roots.ageOf(root)
  }

  async ageBeside(
    { address }: Pool,
    root: bigint,
    nullifierHashes: readonly bigint[],
  ): Promise<AgeBeside | null> {
    const { client, contracts } = this.#chain
    const roots = this.#byAddress.get(address)?.roots
    if (!roots) return null
    // Reads the newest block, because strangers may have inserted roots since the last head; all at one block, because
    // an insert between two reads would confuse the places.
    const asOf = await client.getBlockNumber({ cacheTime: 0 })
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
  }

  aspRoot(): bigint | null {
    return this.#latestAspRoot.value
  }

  onAspRoot(listener: () => void): () => void {
    return this.#latestAspRoot.listen(listener)
  }

  isLatestAspRoot(root: bigint): Promise<boolean> {
    return this.#latestAspRoot.isLatest(root)
  }

  isSpent(pool: Pool, nullifierHash: bigint): Promise<boolean> {
    return this.#chain.client.readContract({
      address: pool.address,
      abi: poolAbi,
      functionName: 'nullifierHashes',
      args: [nullifierHash],
    })
  }
}

/** Follows the pools of one chain, from before it is started. One `eth_call` per head, whatever the number of pools. */
export function followPools(chain: RelayingChain, logger: Logger): PoolState {
  const pools = new FollowedPools(chain, logger)
  chain.onHeadRead({
    name: 'pools',
    read: () => pools.refresh(),
    write: () => pools.write(),
    take: (text) => pools.take(text),
  })
  return pools
}
