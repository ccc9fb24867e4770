import { encodeFunctionData, erc20Abi, type Address } from 'viem'
import type { Call } from '../../../intents/intent.ts'
import type { BridgeDeposit } from '../bridge-deposit.ts'
import { spokePoolAbi } from './across-abi.ts'
import { toBytes32 } from './bytes32-address.ts'

/** Payment of a deposit by an address. */
export interface DepositPayment {
  spokePool: Address
  /** The coin itself is paid, for an input token that is the chain's wrapped coin. */
  isCoin: boolean
  /** Allowance that the SpokePool already has from the payer, smallest unit. */
  allowance: bigint
}

/**
 * Encodes the calls of a deposit. A coin is sent along; for a token exactly the amount is approved. A remaining
 * allowance is first reset to zero, since some tokens refuse to change one. The deposit uses the allowance up, and the
 * last call resets it for tokens that do not count it down.
 */
export function encodeDepositCalls(
  deposit: BridgeDeposit,
  { spokePool, isCoin, allowance }: DepositPayment,
): Call[] {
  const call: Call = { to: spokePool, value: isCoin ? deposit.inputAmount : 0n, data: encodeDeposit(deposit) }
  if (isCoin) return [call]
  const approve = (amount: bigint): Call => ({
    to: deposit.inputToken,
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spokePool, amount] }),
  })
  return [...(allowance > 0n ? [approve(0n)] : []), approve(deposit.inputAmount), call, approve(0n)]
}

const encodeDeposit = (deposit: BridgeDeposit) =>
  encodeFunctionData({
    abi: spokePoolAbi,
    functionName: 'deposit',
    args: [
      toBytes32(deposit.depositor),
      toBytes32(deposit.recipient),
      toBytes32(deposit.inputToken),
      toBytes32(deposit.outputToken),
      deposit.inputAmount,
      deposit.outputAmount,
      BigInt(deposit.destinationChainId),
      toBytes32(deposit.exclusiveRelayer),
      deposit.quoteTimestamp,
      deposit.fillDeadline,
      deposit.exclusivityDeadline,
      deposit.message,
    ],
  })
