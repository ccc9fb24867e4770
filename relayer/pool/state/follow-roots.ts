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

/**
 * Follows the roots of a pool by its contract's ring (State.sol of Privacy Pools v1): each insert writes at
 * (currentRootIndex + 1) % 64. All 64 are read the first time. They are read again only if the newest known root is
 * no longer at its index, after a reorg rewrote the ring.
 */
export function followRoots(chain: Chain, address: Address): PoolRoots {
  const { contracts } = chain
  let ring: Ring | null = null

  const readSize = async (blockNumber?: bigint) =>
    Number(
      await contracts.readContract({ address, abi: poolAbi, functionName: 'currentTreeSize', blockNumber }),
    )
  const readPlace = (place: number, blockNumber?: bigint) =>
    contracts.readContract({
      address,
      abi: poolAbi,
      functionName: 'roots',
      args: [BigInt(place % ROOT_HISTORY)],
      blockNumber,
    })

  /** Reads everything at one block: an insert between two reads would confuse the places. */
  async function readAll(asOf: bigint): Promise<Ring> {
    const places = Array.from({ length: ROOT_HISTORY }, (_, index) => index)
    const [size, ...slots] = await Promise.all([
      readSize(asOf),
      ...places.map((place) => readPlace(place, asOf)),
    ])
    return ringOf(size, slots, asOf)
  }

  /** Reads the new roots; null if the chain does not continue the known ones. */
  async function readNews(known: Ring, asOf: bigint): Promise<Ring | null> {
    const next = known.size + 1
    const [size, newest, first] = await Promise.all([readSize(), readPlace(known.size), readPlace(next)])
    if (size < known.size || size - known.size >= ROOT_HISTORY) return null
    if (newest !== known.slots[known.size % ROOT_HISTORY]) return null
    if (size === known.size) return { ...known, asOf }
    const further = Array.from({ length: size - next }, (_, index) => next + 1 + index)
    const added = [first, ...(await Promise.all(further.map((place) => readPlace(place))))]
    const slots = [...known.slots]
    for (const [index, root] of added.entries()) {
      const at = (next + index) % ROOT_HISTORY
      // Another, lagging node answered than the one that gave the size.
      if (root === slots[at]) return null
      slots[at] = root
    }
    return ringOf(size, slots, asOf)
  }

  async function refresh(): Promise<void> {
    const asOf = chain.head()?.number
    if (asOf === undefined) throw new Error('the roots of a pool are read after a first head')
    const known = ring
    const read = (known && (await readNews(known, asOf))) ?? (await readAll(asOf))
    // A concurrent read may have read more.
    if (ring !== known) return refresh()
    ring = read
  }

  function tell(): ToldRoots | null {
    if (!ring) return null
    const { size, slots, asOf } = ring
    const first = Math.max(1, size - TOLD + 1)
    const places = Array.from({ length: size - first + 1 }, (_, index) => first + index)
    return { size, newest: places.map((place) => slots[place % ROOT_HISTORY] ?? 0n), asOf }
  }

  function take({ size, newest, asOf }: ToldRoots): boolean {
    if (!ring || size < ring.size || asOf < ring.asOf) return false
    const first = size - newest.length + 1
    // The newest root known here must be among them, at its place.
    if (ring.size > 0 && newest[ring.size - first] !== ring.slots[ring.size % ROOT_HISTORY]) return false
    if (ring.size === 0 && first > 1) return false
    const slots = [...ring.slots]
    for (let place = ring.size + 1; place <= size; place += 1)
      slots[place % ROOT_HISTORY] = newest[place - first] ?? 0n
    ring = ringOf(size, slots, asOf)
    return true
  }

  const placeOf = (root: bigint) => (root === 0n ? undefined : ring?.places.get(root))

  return {
    refresh,
    tell,
    take,
    size: () => ring?.size ?? null,
    ageOf(root) {
      const place = placeOf(root)
      return ring && place !== undefined ? { followers: ring.size - place, asOf: ring.asOf } : null
    },
    async countFollowers(root, blockNumber) {
      const place = placeOf(root)
      if (!ring || place === undefined) return null
      const [size, there] = await Promise.all([readSize(blockNumber), readPlace(place, blockNumber)])
      return there === root ? Math.max(size, ring.size) - place : null
    },
  }
}
