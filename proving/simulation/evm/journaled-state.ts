import type { StateManagerInterface } from '@ethereumjs/common'
import { Account, bytesToHex, type Address, hexToBytes } from '@ethereumjs/util'
import type { StateOverrides, StateOverride } from '../../simulate-job.ts'
import { describeContractCode, NO_CODE, type ContractCode } from './code-cache.ts'
import type { StateReader } from './state-reader.ts'
import { parseWord, type BlockAccount } from './block-state.ts'

type AccountFields = Parameters<StateManagerInterface['modifyAccountFields']>[1]

const NO_VALUE = new Uint8Array(0)
const DELETED = null

function toAccount({
  balance,
  nonce,
  code,
}: {
  balance: bigint
  nonce: bigint
  code: ContractCode
}): Account | undefined {
  const exists = balance > 0n || nonce > 0n || code.bytes.length > 0
  return exists ? new Account(nonce, balance, undefined, code.hash) : undefined
}

function copy(account: Account): Account {
  return new Account(account.nonce, account.balance, account.storageRoot, account.codeHash)
}

/** The writes of one simulation, over the state of a block that it never changes. Reverting undoes the journal. */
export class JournaledState implements StateManagerInterface {
  readonly #base: OverriddenState
  readonly #accounts = new Map<string, Account | typeof DELETED>()
  readonly #codes = new Map<string, Uint8Array>()
  readonly #slots = new Map<string, Uint8Array>()
  /** Accounts that start with an empty storage: created in this simulation. */
  readonly #created = new Map<string, true>()
  readonly #undo: (() => void)[] = []
  readonly #checkpoints: number[] = []

  /** Gas of writes depends on the values before the transaction. */
  readonly originalStorageCache = {
    get: async (address: Address, key: Uint8Array) => this.#originalSlot(address.toString(), bytesToHex(key)),
    clear() {},
  }

  constructor(reader: StateReader, overrides: StateOverrides = {}) {
    this.#base = createOverriddenState(reader, overrides)
  }

  /** Accounts written so far, deleted ones included. */
  changedAccounts(): readonly string[] {
    return [...this.#accounts.keys()]
  }

  /** Contracts whose storage was written. */
  writtenContracts(): readonly string[] {
    return [...new Set(Array.from(this.#slots.keys(), (place) => place.slice(0, 42)))]
  }

  async balanceBefore(address: string): Promise<bigint> {
    return (await this.#base.account(address)).balance
  }

  #write<T>(map: Map<string, T>, key: string, value: T): void {
    const before = map.get(key)
    this.#undo.push(before === undefined ? () => map.delete(key) : () => map.set(key, before))
    map.set(key, value)
  }

  async getAccount(address: Address): Promise<Account | undefined> {
    const key = address.toString()
    const written = this.#accounts.get(key)
    if (written === DELETED) return undefined
    // copied, because the EVM changes an account before it writes it
    return written ? copy(written) : toAccount(await this.#base.account(key))
  }

  async putAccount(address: Address, account?: Account): Promise<void> {
    this.#write(this.#accounts, address.toString(), account ? copy(account) : DELETED)
  }

  async deleteAccount(address: Address): Promise<void> {
    this.#write(this.#accounts, address.toString(), DELETED)
  }

  async modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    const account = (await this.getAccount(address)) ?? new Account()
    if (fields.nonce !== undefined) account.nonce = fields.nonce
    if (fields.balance !== undefined) account.balance = fields.balance
    if (fields.codeHash !== undefined) account.codeHash = fields.codeHash
    await this.putAccount(address, account)
  }

  async putCode(address: Address, value: Uint8Array): Promise<void> {
    this.#write(this.#codes, address.toString(), value)
    await this.modifyAccountFields(address, { codeHash: describeContractCode(value).hash })
  }

  async getCode(address: Address): Promise<Uint8Array> {
    const key = address.toString()
    if (this.#accounts.get(key) === DELETED) return NO_CODE.bytes
    return this.#codes.get(key) ?? (await this.#base.account(key)).code.bytes
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length
  }

  async #originalSlot(address: string, key: string): Promise<Uint8Array> {
    return this.#created.has(address) ? NO_VALUE : this.#base.slot(address, key)
  }

  async getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    const account = address.toString()
    const slot = bytesToHex(key)
    return this.#slots.get(account + slot) ?? this.#originalSlot(account, slot)
  }

  async putStorage(address: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    const start = value.findIndex((byte) => byte !== 0)
    const stripped = start === -1 ? NO_VALUE : value.subarray(start)
    this.#write(this.#slots, address.toString() + bytesToHex(key), stripped)
  }

  async clearStorage(address: Address): Promise<void> {
    this.#write(this.#created, address.toString(), true)
  }

  async checkpoint(): Promise<void> {
    this.#checkpoints.push(this.#undo.length)
  }

  async commit(): Promise<void> {
    this.#checkpoints.pop()
  }

  async revert(): Promise<void> {
    const start = this.#checkpoints.pop() ?? 0
    for (const undo of this.#undo.splice(start).toReversed()) undo()
  }

  clearCaches(): void {}

  // never called by the EVM: a state without a root
  async getStateRoot(): Promise<Uint8Array> {
    throw new Error('a simulated state has no root')
  }
  async setStateRoot(): Promise<void> {
    throw new Error('a simulated state has no root')
  }
  async hasStateRoot(): Promise<boolean> {
    return false
  }
  shallowCopy(): StateManagerInterface {
    throw new Error('a simulated state is not copied')
  }
}

/** A block's state with parts of it replaced, as if the block had ended so. */
interface OverriddenState {
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
function createOverriddenState(reader: StateReader, overrides: StateOverrides): OverriddenState {
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
