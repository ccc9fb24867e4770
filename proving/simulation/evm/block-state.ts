import { hexToBytes } from '@ethereumjs/util'
import { z } from 'zod'
import { hex, quantity, type Hex } from '../provider.ts'
import { describeContractCode, type ContractCode, type CodeCache } from './code-cache.ts'
import type { Ask } from './request-batcher.ts'

/** The members of a node's block answer that a simulation uses; gas and fees become bigints. */
export const blockHeader = z.object({
  hash: hex,
  number: quantity,
  timestamp: quantity,
  miner: hex,
  gasLimit: quantity,
  gasUsed: quantity,
  mixHash: hex.nullish(),
  baseFeePerGas: quantity.nullish(),
})
/** A block header after parsing: timestamp in seconds, base fee in wei per gas. */
export type BlockHeader = z.output<typeof blockHeader>

/** An account as the EVM needs it: balance in wei, transaction count and code. */
export interface BlockAccount {
  balance: bigint
  nonce: bigint
  code: ContractCode
}

/** A value of storage without its leading zeros. */
export function parseWord(text: string): Uint8Array {
  const digits = text.slice(2).replace(/^0+/, '')
  return hexToBytes(`0x${digits.length % 2 === 0 ? digits : `0${digits}`}`)
}

/** Caches values, and shares pending reads. */
class Flights<T> {
  readonly #values = new Map<string, T>()
  readonly #flights = new Map<string, Promise<T>>()

  known(key: string): T | undefined {
    return this.#values.get(key)
  }

  load(key: string, fetch: () => Promise<T>): Promise<T> {
    const flight = this.#flights.get(key)
    if (flight) return flight
    const started = fetch()
      .then((value) => {
        this.#values.set(key, value)
        return value
      })
      .finally(() => this.#flights.delete(key))
    this.#flights.set(key, started)
    return started
  }
}

/** The state after one block, as a node reports it. Addresses and keys are lower-case hex. */
export class BlockState {
  readonly header: BlockHeader
  readonly #ask: Ask
  readonly #codes: CodeCache
  /** EIP-1898: a read that the node cannot answer for this very block fails. */
  readonly block: { blockHash: Hex }
  readonly #accounts = new Flights<BlockAccount>()
  readonly #slots = new Flights<Uint8Array>()
  readonly #hashes = new Flights<Uint8Array>()

  constructor(ask: Ask, header: BlockHeader, codes: CodeCache) {
    this.#ask = ask
    this.header = header
    this.#codes = codes
    this.block = { blockHash: header.hash }
  }

  knownAccount(address: string): BlockAccount | undefined {
    return this.#accounts.known(address)
  }

  knownSlot(address: string, key: string): Uint8Array | undefined {
    return this.#slots.known(address + key)
  }

  /** Reads an account in one round trip. */
  readAccount(address: string): Promise<BlockAccount> {
    return this.#accounts.load(address, async () => {
      const [balance, nonce, code] = await Promise.all([
        this.#ask('eth_getBalance', [address, this.block]),
        this.#ask('eth_getTransactionCount', [address, this.block]),
        this.#readCode(address),
      ])
      return { balance: quantity.parse(balance), nonce: quantity.parse(nonce), code }
    })
  }

  async #readCode(address: string): Promise<ContractCode> {
    const kept = this.#codes.get(address)
    if (kept) return kept
    const code = describeContractCode(
      hexToBytes(hex.parse(await this.#ask('eth_getCode', [address, this.block]))),
    )
    this.#codes.keep(address, code)
    return code
  }

  readSlot(address: string, key: string): Promise<Uint8Array> {
    return this.#slots.load(address + key, async () =>
      parseWord(hex.parse(await this.#ask('eth_getStorageAt', [address, key, this.block]))),
    )
  }

  /** Hash of an earlier block. */
  readBlockHash(number: bigint): Promise<Uint8Array> {
    if (number === this.header.number) return Promise.resolve(hexToBytes(this.header.hash))
    return this.#hashes.load(`${number}`, async () => {
      const block = await this.#ask('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
      return hexToBytes(blockHeader.pick({ hash: true }).parse(block).hash)
    })
  }
}
