import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { hex } from '../provider.ts'
import type { BlockAccount, BlockState } from './block-state.ts'
import type { SimulationLimits } from './simulation-limits.ts'

/** Places of the state that a call will read. */
export const accessList = z.array(z.object({ address: hex, storageKeys: z.array(hex) }))
/** The parsed answer of `eth_createAccessList`. */
export type AccessList = z.output<typeof accessList>

/** More than a simulation may fetch is never prefetched. */
const MAX_AHEAD = 1_000
/** Above this, reading the state step by step is faster than waiting for the node's access list. */
const FORESIGHT_MS = 500

/** Reads a block's state for one simulation, within its limits. */
export class StateReader {
  readonly #state: BlockState
  readonly #limits: SimulationLimits
  readonly #foresee: () => Promise<AccessList>
  #ahead: Promise<unknown> | undefined

  /** `foresee` predicts what the call will read; it is called once, at the first miss. */
  constructor(state: BlockState, limits: SimulationLimits, foresee: () => Promise<AccessList>) {
    this.#state = state
    this.#limits = limits
    this.#foresee = foresee
  }

  account(address: string): BlockAccount | Promise<BlockAccount> {
    return this.#state.knownAccount(address) ?? this.#fetch(() => this.#state.readAccount(address))
  }

  slot(address: string, key: string): Uint8Array | Promise<Uint8Array> {
    return this.#state.knownSlot(address, key) ?? this.#fetch(() => this.#state.readSlot(address, key))
  }

  blockHash(number: bigint): Promise<Uint8Array> {
    return this.#fetch(() => this.#state.readBlockHash(number))
  }

  async #fetch<T>(read: () => Promise<T>): Promise<T> {
    this.#limits.countFetch()
    const value = read()
    // the first missing value is seldom the only one: the rest comes in one round trip
    this.#ahead ??= this.#readAhead()
    const [answer] = await this.#limits.wait(Promise.all([value, this.#ahead]))
    return answer
  }

  /** Best effort: a failed read is repeated when the value is needed. */
  async #readAhead(): Promise<void> {
    const abort = new AbortController()
    const patience = delay(FORESIGHT_MS, [] as AccessList, { signal: abort.signal }).catch(
      (): AccessList => [],
    )
    const places = await Promise.race([this.#foresee().catch((): AccessList => []), patience])
    abort.abort()
    const reads: Promise<unknown>[] = []
    for (const { address, storageKeys } of places) {
      const account = address.toLowerCase()
      if (!this.#state.knownAccount(account)) reads.push(this.#state.readAccount(account))
      for (const key of storageKeys) {
        if (reads.length >= MAX_AHEAD) break
        const slot = key.toLowerCase()
        if (!this.#state.knownSlot(account, slot)) reads.push(this.#state.readSlot(account, slot))
      }
      if (reads.length >= MAX_AHEAD) break
    }
    await Promise.allSettled(reads)
  }
}
