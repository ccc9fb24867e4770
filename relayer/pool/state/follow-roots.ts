import type { Address } from 'viem'
import type { Chain } from '../../chain/nodes/chain.ts'
import { poolAbi } from '../../chain/contracts/privacy-pools.ts'
import type { ToldRoots } from './told-pools.ts'

/** Number of state roots that a pool of Privacy Pools v1 remembers. */
export const ROOT_HISTORY = 64

/** Roots sent to other instances; an instance that missed more reads for itself. */
const TOLD = 16

/** The age of a state root. */
export interface RootAge {
  /** Roots inserted after it; the pool forgets it with the 64th. */
  followers: number
  /** The block of the count. */
  asOf: bigint
}

/** The state roots that one pool remembers, as of the last read. */
export interface PoolRoots {
  /** Reads the roots inserted since the last read: one round trip, or two if more than one root is new. */
  refresh(): Promise<void>
  /** Returns the newest roots for other instances; null before the first read. */
  tell(): ToldRoots | null
  /**
   * Continues from another instance's roots.
   * @returns False if they do not continue the known ones: roots are missing in between, or a reorg rewrote them.
   */
  take(told: ToldRoots): boolean
  /** Returns the age of a root; null if the pool does not remember it. */
  ageOf(root: bigint): RootAge | null
  /**
   * Reads how many roots had followed one by a block. Never returns less than was read before, because a node may
   * lag. Null if the pool has another root in its place.
   */
  countFollowers(root: bigint, blockNumber: bigint): Promise<number | null>
  /** Returns the number of leaves of the tree; null before the first read. */
  size(): number | null
}

interface Ring {
  /** Number of leaves, and so of all roots: the n-th is at the index n modulo 64. */
  size: number
  /** By index; 0 for an index not written yet. */
  slots: readonly bigint[]
  /** The number of the insert that made each root. */
  places: ReadonlyMap<bigint, number>
  asOf: bigint
}

function ringOf(size: number, slots: readonly bigint[], asOf: bigint): Ring {
  const places = new Map<bigint, number>()
  for (let place = Math.max(1, size - ROOT_HISTORY + 1); place <= size; place += 1)
    places.set(slots[place % ROOT_HISTORY] ?? 0n, place)
  return { size, slots, places, asOf }
}

class RootRing implements PoolRoots {
  readonly #chain: Chain
  readonly #address: Address
  #ring: Ring | null = null

  constructor(chain: Chain, address: Address) {
    this.#chain = chain
    this.#address = address
  }

  async #readSize(blockNumber?: bigint): Promise<number> {
    const [address, abi] = [this.#address, poolAbi]
    const { contracts } = this.#chain
    return Number(
      await contracts.readContract({ address, abi, functionName: 'currentTreeSize', blockNumber }),
    )
  }

  #readPlace(place: number, blockNumber?: bigint): Promise<bigint> {
    return this.#chain.contracts.readContract({
      address: this.#address,
      abi: poolAbi,
      functionName: 'roots',
      args: [BigInt(place % ROOT_HISTORY)],
      blockNumber,
    })
  }

  /** Reads everything at one block: an insert between two reads would confuse the places. */
  async #readAll(asOf: bigint): Promise<Ring> {
    const places = Array.from({ length: ROOT_HISTORY }, (_, index) => index)
    const [size, ...slots] = await Promise.all([
      this.#readSize(asOf),
      ...places.map((place) => this.#readPlace(place, asOf)),
    ])
    return ringOf(size, slots, asOf)
  }

  /** Reads the new roots; null if the chain does not continue the known ones. */
  async #readNews(known: Ring, asOf: bigint): Promise<Ring | null> {
    const next = known.size + 1
    const [size, newest, first] = await Promise.all([
      this.#readSize(),
      this.#readPlace(known.size),
      this.#readPlace(next),
    ])
    if (size < known.size || size - known.size >= ROOT_HISTORY) return null
    if (newest !== known.slots[known.size % ROOT_HISTORY]) return null
    if (size === known.size) return { ...known, asOf }
    const further = Array.from({ length: size - next }, (_, index) => next + 1 + index)
    const added = [first, ...(await Promise.all(further.map((place) => this.#readPlace(place))))]
    const slots = [...known.slots]
    for (const [index, root] of added.entries()) {
      const at = (next + index) % ROOT_HISTORY
      // Another, lagging node answered than the one that gave the size.
      if (root === slots[at]) return null
      slots[at] = root
    }
    return ringOf(size, slots, asOf)
  }

  async refresh(): Promise<void> {
    const asOf = this.#chain.head()?.number
    if (asOf === undefined) throw new Error('the roots of a pool are read after a first head')
    const known = this.#ring
    const read = (known && (await this.#readNews(known, asOf))) ?? (await this.#readAll(asOf))
    // A concurrent read may have read more.
    if (this.#ring !== known) return this.refresh()
    this.#ring = read
  }

  tell(): ToldRoots | null {
    if (!this.#ring) return null
    const { size, slots, asOf } = this.#ring
    const first = Math.max(1, size - TOLD + 1)
    const places = Array.from({ length: size - first + 1 }, (_, index) => first + index)
    return { size, newest: places.map((place) => slots[place % ROOT_HISTORY] ?? 0n), asOf }
  }

  take({ size, newest, asOf }: ToldRoots): boolean {
    const ring = this.#ring
    if (!ring || size < ring.size || asOf < ring.asOf) return false
    const first = size - newest.length + 1
    // The newest root known here must be among them, at its place.
    if (ring.size > 0 && newest[ring.size - first] !== ring.slots[ring.size % ROOT_HISTORY]) return false
    if (ring.size === 0 && first > 1) return false
    const slots = [...ring.slots]
    for (let place = ring.size + 1; place <= size; place += 1)
      slots[place % ROOT_HISTORY] = newest[place - first] ?? 0n
    this.#ring = ringOf(size, slots, asOf)
    return true
  }

  #placeOf(root: bigint): number | undefined {
    return root === 0n ? undefined : this.#ring?.places.get(root)
  }

  ageOf(root: bigint): RootAge | null {
    const [ring, place] = [this.#ring, this.#placeOf(root)]
    return ring && place !== undefined ? { followers: ring.size - place, asOf: ring.asOf } : null
  }

  async countFollowers(root: bigint, blockNumber: bigint): Promise<number | null> {
    const place = this.#placeOf(root)
    if (!this.#ring || place === undefined) return null
    const [size, there] = await Promise.all([
      this.#readSize(blockNumber),
      this.#readPlace(place, blockNumber),
    ])
    return there === root ? Math.max(size, this.#ring.size) - place : null
  }

  size(): number | null {
    return this.#ring?.size ?? null
  }
}

/**
 * Follows the roots of a pool by its contract's ring (State.sol of Privacy Pools v1): each insert writes at
 * (currentRootIndex + 1) % 64. All 64 are read the first time. They are read again only if the newest known root is
 * no longer at its index, after a reorg rewrote the ring.
 */
export const followRoots = (chain: Chain, address: Address): PoolRoots => new RootRing(chain, address)
