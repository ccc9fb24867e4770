const PAGE = 65_536

/** The module's functions put their temporaries above the allocated part; this much stays free for them. */
const HEADROOM = 4 * PAGE

/**
 * Bump allocator over the linear memory of the curve module.
 *
 * The module stores the address of its first free byte in word 0 and never grows its memory, so this class does both.
 * Nothing is ever freed: allocate when a verifier is built, not per proof.
 */
export class CurveMemory {
  readonly #memory: WebAssembly.Memory
  #bytes: Uint8Array
  #limbs: BigUint64Array

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory
    this.#bytes = new Uint8Array(memory.buffer)
    this.#limbs = new BigUint64Array(memory.buffer)
  }

  /** Reserves `size` bytes, aligned to 8, and returns their address. */
  allocate(size: number): number {
    const top = new Uint32Array(this.#memory.buffer, 0, 1)
    const address = ((top[0] ?? 0) + 7) & ~7
    top[0] = address + size
    const missing = address + size + HEADROOM - this.#memory.buffer.byteLength
    if (missing > 0) {
      this.#memory.grow(Math.ceil(missing / PAGE))
      this.#bytes = new Uint8Array(this.#memory.buffer)
      this.#limbs = new BigUint64Array(this.#memory.buffer)
    }
    return address
  }

  /** Writes an integer below 2^256 as 32 little-endian bytes. */
  writeInteger(address: number, value: bigint): void {
    const limb = address >> 3
    this.#limbs[limb] = value // the array stores the low 64 bits of a value
    this.#limbs[limb + 1] = value >> 64n
    this.#limbs[limb + 2] = value >> 128n
    this.#limbs[limb + 3] = value >> 192n
  }

  /** Writes an integer below 2^64 as 8 little-endian bytes. */
  writeLimb(address: number, value: bigint): void {
    this.#limbs[address >> 3] = value
  }

  readByte(address: number): number {
    return this.#bytes[address] ?? 0
  }

  /** Returns the bytes themselves, valid until the next allocation. */
  view(address: number, size: number): Uint8Array {
    return this.#bytes.subarray(address, address + size)
  }

  copy(from: number, to: number, size: number): void {
    this.#bytes.copyWithin(to, from, from + size)
  }
}
