import { hexToBytes } from '@ethereumjs/util'
import type { StateOverride, StateOverrides } from '../../simulate-job.ts'
import { parseWord, type BlockAccount } from './block-state.ts'
import { describeContractCode } from './code-cache.ts'
import type { StateReader } from './state-reader.ts'

/** A block's state with parts of it replaced, as if the block had ended so. */
export interface OverriddenState {
  account(address: string): BlockAccount | Promise<BlockAccount>
  slot(address: string, key: string): Uint8Array | Promise<Uint8Array>
}

function lowerKeys<T>(record: Readonly<Record<string, T>>): Map<string, T> {
  return new Map(Object.entries(record).map(([key, value]) => [key.toLowerCase(), value]))
}

function applyOverride(account: BlockAccount, { balance, nonce, code }: StateOverride): BlockAccount {
  return {
    balance: balance ?? account.balance,
    nonce: nonce ?? account.nonce,
    code: code === undefined ? account.code : describeContractCode(hexToBytes(code)),
  }
}

/**
 * Applies a simulation's overrides to a block's state. Without overrides it returns the reader itself. An override of
 * `state` replaces the whole storage, so words that it omits are zero; `stateDiff` replaces single words.
 */
export function createOverriddenState(reader: StateReader, overrides: StateOverrides): OverriddenState {
  const given = lowerKeys(overrides)
  if (given.size === 0) return reader
  const accounts = new Map<string, BlockAccount>()
  const slots = new Map<string, Uint8Array>()
  for (const [address, { state, stateDiff }] of given) {
    for (const [key, value] of lowerKeys(state ?? stateDiff ?? {})) slots.set(address + key, parseWord(value))
  }

  return {
    async account(address) {
      const override = given.get(address)
      if (!override) return reader.account(address)
      const known = accounts.get(address) ?? applyOverride(await reader.account(address), override)
      accounts.set(address, known)
      return known
    },
    slot(address, key) {
      const replaced = slots.get(address + key)
      if (replaced) return replaced
      return given.get(address)?.state ? new Uint8Array(0) : reader.slot(address, key)
    },
  }
}
