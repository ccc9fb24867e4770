import type { EVM, EVMRunCallOpts, ExecResult } from '@ethereumjs/evm'
import { Account, type Address, bytesToHex, createAddressFromString, hexToBytes } from '@ethereumjs/util'
import type { SimulateJob } from '../../simulate-job.ts'
import type { SimulatedLog } from '../provider.ts'
import { applyAuthorizations } from './apply-authorizations.ts'
import type { NativeMoves } from '../assets/check-native.ts'
import { followCalls } from './call-tree.ts'
import { isDelegation } from './code-cache.ts'
import { computeIntrinsicGas } from './intrinsic-gas.ts'
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
    let gasUsed = intrinsic.gas + executionGasUsed
    const refund = ownRefund + (exceptionError ? 0n : (execResult.gasRefund ?? 0n))
    const maxRefund = gasUsed / MAX_REFUND_QUOTIENT
    gasUsed -= refund < maxRefund ? refund : maxRefund
    if (gasUsed < intrinsic.floor) gasUsed = intrinsic.floor
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
