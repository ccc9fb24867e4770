import type { EVMBN254Interface } from '@ethereumjs/evm'
import { createBn254 } from './bn254.ts'
import { createWatchedEvm, type WatchedEvm } from './create-evm.ts'
import type { JournaledState } from './journaled-state.ts'
import type { ChainRules } from './node-view.ts'
import type { SimulationLimits } from './simulation-limits.ts'
import type { StateReader } from './state-reader.ts'

/** EVMs for concurrent simulations: each runs one at a time. */
export interface EvmShelf {
  /** Runs a simulation with an EVM of that chain; `use` may run several calls, on states over the same reader. */
  borrow<T>(
    rules: ChainRules,
    reader: StateReader,
    limits: SimulationLimits,
    use: (
      evm: WatchedEvm['evm'],
      enter: (state: JournaledState) => Promise<void>,
      readsEnvironment: () => boolean,
    ) => Promise<T>,
  ): Promise<T>
}

/** Switches `evm` to a state, as before its first transaction. */
async function enterState(evm: WatchedEvm['evm'], state: JournaledState): Promise<void> {
  evm.stateManager = state
  evm.journal['stateManager'] = state
  evm.journal.cleanJournal()
  evm.transientStorage.clear()
}

/** Prepares the shared parts of all EVMs of a thread. */
export async function createEvmShelf(): Promise<EvmShelf> {
  await rememberJumps()
  const bn254: EVMBN254Interface = await createBn254()
  const idle = new Map<string, WatchedEvm[]>()

  return {
    async borrow(rules, reader, limits, use) {
      const key = `${rules.chainId} ${rules.hardfork}`
      const ofChain = idle.get(key) ?? []
      idle.set(key, ofChain)
      const watched = ofChain.pop() ?? (await createWatchedEvm(rules, bn254))
      const { evm } = watched
      watched.limits = limits
      watched.readsEnvironment = false
      evm.blockchain = {
        getBlock: async (number) => {
          const hash = await reader.blockHash(BigInt(number))
          return { hash: () => hash }
        },
        putBlock: async () => {},
        shallowCopy: () => evm.blockchain,
      }
      const result = await use(
        evm,
        (state) => enterState(evm, state),
        () => watched.readsEnvironment,
      )
      // not in a finally: after any other error than an EVM error, the EVM is left in an undefined state
      watched.limits = undefined
      ofChain.push(watched)
      return result
    },
  }
}

/** A precompile of EIP-4844 that needs a trusted setup of some megabytes, which is not worth its weight here. */
export function needsTrustedSetup(error: unknown): boolean {
  return error instanceof Error && /kzg/i.test(error.message)
}

interface Jumps {
  _getValidJumpDestinations(this: { _evm: object }, code: Uint8Array): unknown
}

/**
 * Makes the EVM cache the jump analysis of code. By default it analyses code again for every frame, which is half the
 * time of a call through several contracts. The package does not export its interpreter, so it is imported by its path.
 * The analysis holds instructions of one EVM, so each EVM has a cache of its own.
 */
async function rememberJumps(): Promise<void> {
  const { Interpreter } = await import('../../../node_modules/@ethereumjs/evm/dist/esm/interpreter.js')
  const prototype = Interpreter.prototype as unknown as Jumps
  const analyse = prototype._getValidJumpDestinations
  const known = new WeakMap<object, WeakMap<Uint8Array, unknown>>()

  prototype._getValidJumpDestinations = function (code) {
    const ofEvm = known.get(this._evm) ?? new WeakMap<Uint8Array, unknown>()
    known.set(this._evm, ofEvm)
    const jumps = ofEvm.get(code) ?? analyse.call(this, code)
    ofEvm.set(code, jumps)
    return jumps
  }
}
