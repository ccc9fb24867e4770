import { keccak_256 } from '@noble/hashes/sha3.js'

/** A contract's code with its Keccak-256 hash. */
export interface ContractCode {
  /** Always the same array for the same address, because the analysis of jumps is cached by it. */
  bytes: Uint8Array
  hash: Uint8Array
}

/** Enough for some 170 of the largest contracts; their analysis of jumps takes about 30 times as much. */
const MAX_BYTES = 4 * 1024 * 1024

const noBytes = new Uint8Array(0)
/** The code of an account that has none: no bytes, and the hash of no bytes. */
export const NO_CODE: ContractCode = { bytes: noBytes, hash: keccak_256(noBytes) }

/** True for the designator of EIP-7702, which the account's owner may replace at any time. */
export function isDelegation(code: Uint8Array): boolean {
  return code.length === 23 && code[0] === 0xef && code[1] === 0x01 && code[2] === 0x00
}

/** Hashes code as a node returned it. Empty code gives NO_CODE itself. */
export function describeContractCode(bytes: Uint8Array): ContractCode {
  return bytes.length === 0 ? NO_CODE : { bytes, hash: keccak_256(bytes) }
}

/** Codes by address. A contract's code never changes, so it is cached from block to block. */
export class CodeCache {
  readonly #codes = new Map<string, ContractCode>()
  #bytes = 0

  get(address: string): ContractCode | undefined {
    return this.#codes.get(address)
  }

  /** Caches a code unless it may change: no code yet, or a delegation. */
  keep(address: string, code: ContractCode): void {
    if (code.bytes.length === 0 || isDelegation(code.bytes) || this.#codes.has(address)) return
    this.#codes.set(address, code)
    this.#bytes += code.bytes.length
    for (const [oldest, { bytes }] of this.#codes) {
      if (this.#bytes <= MAX_BYTES) break
      this.#codes.delete(oldest)
      this.#bytes -= bytes.length
    }
  }
}
