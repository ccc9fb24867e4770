import type { EVM, EVMRunCallOpts, ExecResult } from '@ethereumjs/evm'
import {
  Account,
  type Address,
  bytesToHex,
  createAddressFromString,
  hexToBytes,
  concatBytes,
} from '@ethereumjs/util'
import type { SimulateJob, SimulatedAuthorization } from '../../simulate-job.ts'
import type { SimulatedLog, Hex } from '../provider.ts'
import type { NativeMoves, NativeTransfer } from '../assets/check-native.ts'
import { isDelegation } from './code-cache.ts'
import type { JournaledState } from './journaled-state.ts'
import { MAX_GAS } from './simulation-limits.ts'

/** EIP-3529: at most a fifth of the used gas is refunded. */
const MAX_REFUND_QUOTIENT = 5n

/** A transaction to run in the EVM, with the block that it will be in. */
export interface Transaction {
  call: SimulateJob['call']
  fees?: SimulateJob['fees']
  seen?: SimulateJob['seen']
  authorizations: NonNullable<SimulateJob['authorizations']>
  chainId: number
  block: NonNullable<EVMRunCallOpts['block']>
}

/** The end of a transaction in the EVM. `gasUsed` includes the intrinsic gas and is reduced by the refund. */
export interface Execution extends NativeMoves {
  success: boolean
  gasUsed: bigint
  /** The EVM's message for a failure. */
  error: string
  returnData: Uint8Array
  logs: readonly SimulatedLog[]
}

function fail(gasUsed: bigint, error: string): Execution {
  const nothing = { logs: [], transfers: [], selfdestructs: new Map<string, string>() }
  return { success: false, gasUsed, error, returnData: new Uint8Array(0), ...nothing }
}

/** Warms the addresses that cost no cold access: EIP-2929, EIP-3651 (coinbase), EIP-7702 (the delegate of `to`). */
async function warmUp(evm: EVM, state: JournaledState, { call, block }: Transaction): Promise<void> {
  const { journal } = evm
  for (const address of evm.precompiles.keys()) journal.addAlwaysWarmAddress(address)
  journal.addAlwaysWarmAddress(call.from.toLowerCase())
  journal.addAlwaysWarmAddress(block.header.coinbase.toString())
  if (!call.to) return
  journal.addAlwaysWarmAddress(call.to.toLowerCase())
  const code = await state.getCode(createAddressFromString(call.to.toLowerCase()))
  if (isDelegation(code)) journal.addAlwaysWarmAddress(bytesToHex(code.subarray(3)))
}

function readLogs({ logs }: ExecResult): SimulatedLog[] {
  return (logs ?? []).map(([address, topics, data]) => ({
    address: bytesToHex(address),
    topics: topics.map((topic) => bytesToHex(topic)),
    data: bytesToHex(data),
  }))
}

/** EIP-6780: only contracts that were created in the same transaction are destroyed. */
async function removeDestroyed(
  state: JournaledState,
  { selfdestruct, createdAddresses }: ExecResult,
): Promise<void> {
  for (const address of selfdestruct?.keys() ?? []) {
    if (createdAddresses?.has(address)) await state.deleteAccount(createAddressFromString(address))
  }
}

/** Returns the price of a unit of gas (EIP-1559), and the least balance of the sender for gas; both 0 without fees. */
function priceGas({ fees, block }: Transaction, gasLimit: bigint): { gasPrice: bigint; reserve: bigint } {
  if (!fees) return { gasPrice: 0n, reserve: 0n }
  const { maxFeePerGas, maxPriorityFeePerGas } = fees
  const wanted = (block.header.baseFeePerGas ?? 0n) + maxPriorityFeePerGas
  return {
    gasPrice: wanted < maxFeePerGas ? wanted : maxFeePerGas,
    reserve: gasLimit * maxFeePerGas,
  }
}

/** Adds to the balance of an account that exists. */
async function addBalance(state: JournaledState, address: Address, amount: bigint): Promise<void> {
  const account = (await state.getAccount(address)) ?? new Account()
  account.balance += amount
  await state.putAccount(address, account)
}

/**
 * Runs a call as a transaction. While it runs, all its gas is deducted from the sender's balance, as on chain; in the end
 * the sender has paid nothing for gas. The state keeps the writes.
 */
export async function runTransaction(
  evm: EVM,
  state: JournaledState,
  transaction: Transaction,
): Promise<Execution> {
  const { call, seen, authorizations, chainId, block } = transaction
  const data = hexToBytes(call.data)
  const intrinsic = computeIntrinsicGas({
    data,
    isCreate: call.to === null,
    authorizations: authorizations.length,
    hasFloor: evm.common.isActivatedEIP(7623),
  })
  const limits = [call.gas, MAX_GAS, block.header.gasLimit]
  const gasLimit = limits.reduce((least, limit) => (limit < least ? limit : least))
  if (gasLimit < intrinsic.gas || gasLimit < intrinsic.floor) return fail(0n, 'intrinsic gas too low')

  const caller = createAddressFromString(call.from.toLowerCase())
  const sender = (await state.getAccount(caller)) ?? new Account()
  const { gasPrice, reserve } = priceGas(transaction, gasLimit)
  if (sender.balance < call.value) return fail(0n, 'insufficient funds for transfer')
  if (sender.balance < call.value + reserve) return fail(0n, 'insufficient funds for gas * price + value')
  sender.nonce += 1n
  sender.balance -= gasLimit * gasPrice
  await state.putAccount(caller, sender)
  const ownRefund = await applyAuthorizations(evm, state, chainId, authorizations)
  await warmUp(evm, state, transaction)

  const tree = followCalls(evm)
  const to: { to?: Address } = call.to === null ? {} : { to: createAddressFromString(call.to.toLowerCase()) }
  try {
    const { execResult } = await evm.runCall({
      ...to,
      caller,
      data,
      block,
      value: call.value,
      gasPrice: seen?.gasPrice ?? gasPrice,
      ...(seen && { origin: createAddressFromString(seen.origin.toLowerCase()) }),
      gasLimit: gasLimit - intrinsic.gas,
      skipNonceIncrement: true,
    })
    const { exceptionError, executionGasUsed, returnValue } = execResult
    const refund = ownRefund + (exceptionError ? 0n : (execResult.gasRefund ?? 0n))
    const gasUsed = chargeGas(intrinsic, executionGasUsed, refund)
    if (gasPrice > 0n) await addBalance(state, caller, gasLimit * gasPrice)
    if (exceptionError) return { ...fail(gasUsed, exceptionError.error), returnData: returnValue }
    await removeDestroyed(state, execResult)
    return {
      success: true,
      gasUsed,
      error: '',
      returnData: returnValue,
      logs: readLogs(execResult),
      transfers: tree.stop(),
      selfdestructs: execResult.selfdestruct ?? new Map<string, string>(),
    }
  } finally {
    tree.stop()
  }
}

/** Gas that the sender pays: what was used less the capped refund (EIP-3529), at least the floor of its data (EIP-7623). */
function chargeGas(intrinsic: { gas: bigint; floor: bigint }, executed: bigint, refund: bigint): bigint {
  const used = intrinsic.gas + executed
  const maxRefund = used / MAX_REFUND_QUOTIENT
  const paid = used - (refund < maxRefund ? refund : maxRefund)
  return paid < intrinsic.floor ? intrinsic.floor : paid
}

const DESIGNATOR = hexToBytes('0xef0100')

/**
 * Sets the codes of the authorities as the transaction would before its call (EIP-7702); invalid authorizations are skipped,
 * as on chain. Returns the gas to refund.
 */
async function applyAuthorizations(
  evm: EVM,
  state: JournaledState,
  chainId: number,
  authorizations: readonly SimulatedAuthorization[],
): Promise<bigint> {
  let refund = 0n
  for (const authorization of authorizations) {
    if (authorization.chainId !== 0 && authorization.chainId !== chainId) continue
    const authority = createAddressFromString(authorization.authority.toLowerCase())
    evm.journal.addAlwaysWarmAddress(authority.toString())
    const code = await state.getCode(authority)
    if (code.length > 0 && !isDelegation(code)) continue
    const existing = await state.getAccount(authority)
    const account = existing ?? new Account()
    if (account.nonce !== authorization.nonce) continue
    if (existing) refund += REFUND_PER_AUTHORIZATION
    account.nonce += 1n
    await state.putAccount(authority, account)
    const target = hexToBytes(authorization.address)
    const clears = target.every((byte) => byte === 0)
    await state.putCode(authority, clears ? new Uint8Array(0) : concatBytes(DESIGNATOR, target))
  }
  return refund
}

interface Frame {
  /** Transfers of this frame and of those below it that succeeded. */
  transfers: NativeTransfer[]
  own: { from: string; to: string | null; value: bigint } | null
}

/** Follows the calls of an EVM during a transaction; `stop` returns the transfers in their order. */
function followCalls(evm: EVM): { stop(): NativeTransfer[] } {
  const root: Frame = { transfers: [], own: null }
  const stack = [root]

  const enter: Parameters<typeof evm.events.on<'beforeMessage'>>[1] = (message) => {
    const moves = message.value > 0n && !message.delegatecall
    const own = moves
      ? { from: message.caller.toString(), to: message.to?.toString() ?? null, value: message.value }
      : null
    stack.push({ transfers: [], own })
  }
  const leave: Parameters<typeof evm.events.on<'afterMessage'>>[1] = ({ execResult, createdAddress }) => {
    const frame = stack.pop()
    const parent = stack.at(-1)
    if (!frame || !parent || execResult.exceptionError) return
    const to = frame.own?.to ?? createdAddress?.toString()
    if (frame.own && to && to !== frame.own.from) {
      parent.transfers.push({ from: frame.own.from as Hex, to: to as Hex, value: frame.own.value })
    }
    for (const transfer of frame.transfers) parent.transfers.push(transfer)
  }
  evm.events.on('beforeMessage', enter)
  evm.events.on('afterMessage', leave)

  return {
    stop() {
      evm.events.off('beforeMessage', enter)
      evm.events.off('afterMessage', leave)
      return root.transfers
    },
  }
}

const TRANSACTION = 21_000n
const PER_TOKEN = 4n
const FLOOR_PER_TOKEN = 10n
const CREATE = 32_000n
const PER_INITCODE_WORD = 2n
const PER_AUTHORIZATION = 25_000n

/** Part of PER_AUTHORIZATION that is refunded when the authority exists already (EIP-7702). */
const REFUND_PER_AUTHORIZATION = 12_500n

/** Computes the gas of a transaction before its first instruction, and its least gas in all (EIP-7623). */
function computeIntrinsicGas(call: {
  data: Uint8Array
  isCreate: boolean
  authorizations: number
  /** Since Prague. */
  hasFloor: boolean
}): {
  gas: bigint
  floor: bigint
} {
  const zeros = call.data.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0)
  const tokens = BigInt(zeros + 4 * (call.data.length - zeros))
  const words = BigInt(Math.ceil(call.data.length / 32))
  const create = call.isCreate ? CREATE + PER_INITCODE_WORD * words : 0n
  const gas = TRANSACTION + PER_TOKEN * tokens + create + PER_AUTHORIZATION * BigInt(call.authorizations)
  return { gas, floor: call.hasFloor ? TRANSACTION + FLOOR_PER_TOKEN * tokens : 0n }
}
