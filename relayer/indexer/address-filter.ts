/** Slots of a new filter. */
const FIRST_SLOTS = 1_024
/** A slot is the last eight bytes of an address, in two words. */
const SLOT_BYTES = 8
const MAX_LOAD = 0.7

/** Answers whether an address may be one of many: sure when it says no, wrong about one in 2^43 when it says yes. */
export interface AddressTest {
  /** @param hex Text that ends with the 40 hex digits of an address: the address itself, or a topic of a log. */
  has(hex: string): boolean
}

/** A set of addresses that other threads can read: 16 MiB for a million. */
export interface AddressFilter extends AddressTest {
  /** @returns False when it was there before. */
  add(hex: string): boolean
  readonly size: number
  /** What {@link testOver} needs in another thread. A later one holds more, an earlier one may be replaced. */
  readonly shared: SharedArrayBuffer
}

/** Linear probing: `found` is true where the slot holds the address, else the slot is free. */
function probe(words: Uint32Array, hex: string): { slot: number; high: number; low: number; found: boolean } {
  const high = Number.parseInt(hex.slice(-16, -8), 16)
  // An empty slot is two zeros, which no fingerprint may be.
  const low = Number.parseInt(hex.slice(-8), 16) || 1
  const mask = words.length / 2 - 1
  // Those who are paid at their addresses did not choose them, so plain bits spread well enough.
  for (let slot = (low ^ high) & mask; ; slot = (slot + 1) & mask) {
    const [h, l] = [words[slot * 2], words[slot * 2 + 1]]
    if (l === 0) return { slot, high, low, found: false }
    if (l === low && h === high) return { slot, high, low, found: true }
  }
}

/** Reads a filter of this or another thread. */
export function testOver(shared: SharedArrayBuffer): AddressTest {
  const words = new Uint32Array(shared)
  return { has: (hex) => probe(words, hex).found }
}

/** An empty filter, with room for so many before it grows. */
export function createAddressFilter(expected = 0): AddressFilter {
  let slots = FIRST_SLOTS
  while (slots * MAX_LOAD < expected) slots *= 2
  let words = new Uint32Array(new SharedArrayBuffer(slots * SLOT_BYTES))
  let size = 0

  function put(target: Uint32Array, hex: string): boolean {
    const { slot, high, low, found } = probe(target, hex)
    if (found) return false
    // The word that marks a slot as taken comes last: a reader in between sees it as free.
    target[slot * 2] = high
    target[slot * 2 + 1] = low
    return true
  }

  function grow(): void {
    const larger = new Uint32Array(new SharedArrayBuffer(words.byteLength * 2))
    const mask = larger.length / 2 - 1
    for (let index = 0; index < words.length; index += 2) {
      const [high = 0, low = 0] = [words[index], words[index + 1]]
      if (low === 0) continue
      let slot = (low ^ high) & mask
      while (larger[slot * 2 + 1] !== 0) slot = (slot + 1) & mask
      larger[slot * 2] = high
      larger[slot * 2 + 1] = low
    }
    words = larger
  }

  return {
    has: (hex) => probe(words, hex).found,
    add(hex) {
      if ((size + 1) * 2 > words.length * MAX_LOAD) grow()
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
