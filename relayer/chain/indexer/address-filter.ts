/** Slots of a new filter. */
const FIRST_SLOTS = 1_024
/** A slot is the last eight bytes of an address, in two words. */
const SLOT_BYTES = 8
const WORD_BYTES = 4
const MAX_LOAD = 0.7
/** Two random words after the slots: an attacker cannot choose addresses that all fall into the same slot. */
const SEED_WORDS = 2

/** Tests whether an address may be one of many: a no is certain, a yes is wrong once in about 2^43 cases. */
export interface AddressTest {
  /** @param hex Text that ends with the 40 hex digits of an address: the address itself, or a topic of a log. */
  has(hex: string): boolean
}

/** A set of addresses that other threads can read: 16 MiB for a million. */
export interface AddressFilter extends AddressTest {
  /** @returns False if it was present before. */
  add(hex: string): boolean
  readonly size: number
  /** The memory that {@link testOver} needs in another thread. A later one holds more, an earlier one may be replaced. */
  readonly shared: SharedArrayBuffer
}

/**
 * Multiplied and folded (as murmur3 does) until each bit depends on the seed, because a block may be full of chosen
 * addresses.
 */
function firstSlot(words: Uint32Array, high: number, low: number): number {
  const [one = 0, other = 0] = [words[words.length - 2], words[words.length - 1]]
  let mixed = Math.imul(low ^ one, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 13) ^ high ^ other, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0xc2b2ae35)
  return mixed ^ (mixed >>> 15)
}

/** Linear probing: `found` is true where the slot holds the address, else the slot is free. */
function probe(words: Uint32Array, hex: string): { slot: number; high: number; low: number; found: boolean } {
  const high = Number.parseInt(hex.slice(-16, -8), 16)
  // An empty slot is two zeros, so no fingerprint may be zero.
  const low = Number.parseInt(hex.slice(-8), 16) || 1
  const mask = (words.length - SEED_WORDS) / 2 - 1
  for (let slot = firstSlot(words, high, low) & mask; ; slot = (slot + 1) & mask) {
    const [h, l] = [words[slot * 2], words[slot * 2 + 1]]
    if (l === 0) return { slot, high, low, found: false }
    if (l === low && h === high) return { slot, high, low, found: true }
  }
}

/** Opens a filter of this or another thread for tests. */
export function testOver(shared: SharedArrayBuffer): AddressTest {
  const words = new Uint32Array(shared)
  return { has: (hex) => probe(words, hex).found }
}

/** Creates an empty filter, with room for so many before it grows. */
export function createAddressFilter(expected = 0): AddressFilter {
  let slots = FIRST_SLOTS
  while (slots * MAX_LOAD < expected) slots *= 2
  const seed = crypto.getRandomValues(new Uint32Array(SEED_WORDS))
  const withSeed = (count: number): Uint32Array<SharedArrayBuffer> => {
    const fresh = new Uint32Array(new SharedArrayBuffer(count * SLOT_BYTES + SEED_WORDS * WORD_BYTES))
    fresh.set(seed, fresh.length - SEED_WORDS)
    return fresh
  }
  let words = withSeed(slots)
  let size = 0

  function put(target: Uint32Array, hex: string): boolean {
    const { slot, high, low, found } = probe(target, hex)
    if (found) return false
    // The word that marks a slot as used comes last: a concurrent reader sees it as free until then.
    target[slot * 2] = high
    target[slot * 2 + 1] = low
    return true
  }

  function grow(): void {
    slots *= 2
    const larger = withSeed(slots)
    const mask = slots - 1
    for (let index = 0; index < words.length - SEED_WORDS; index += 2) {
      const [high = 0, low = 0] = [words[index], words[index + 1]]
      if (low === 0) continue
      let slot = firstSlot(larger, high, low) & mask
      while (larger[slot * 2 + 1] !== 0) slot = (slot + 1) & mask
      larger[slot * 2] = high
      larger[slot * 2 + 1] = low
    }
    words = larger
  }

  return {
    has: (hex) => probe(words, hex).found,
    add(hex) {
      if (size + 1 > slots * MAX_LOAD) grow()
      const isNew = put(words, hex)
      if (isNew) size += 1
      return isNew
    },
    get size() {
      return size
    },
    get shared() {
      return words.buffer
    },
  }
}

/**
 * Splits addresses into groups without two of one owner, so that a question about a group does not link addresses.
 */
export function separateOwners<Key extends { address: string; owner: string }>(
  keys: readonly Key[],
): Key[][] {
  const groups: Key[][] = []
  for (const ofOwner of Map.groupBy(keys, ({ owner }) => owner).values())
    for (const [place, ofAddress] of [...Map.groupBy(ofOwner, ({ address }) => address).values()].entries())
      (groups[place] ??= []).push(...ofAddress)
  return groups
}
