// SPDX-License-Identifier: MIT
// Decodes the calls of one address that deposit with Across. Anything that is not exactly such a deposit
// is refused: the bridge acts on this calldata, whatever else a quote says.
import { messageParameters, spokePoolAbi } from '../chain/abis.ts'
import {
  decodeAbiParameters,
  encodeAbiParameters,
  getAddress,
  isAddressEqual,
  pad,
  slice,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { decode, demandApprovals, demandTokens } from '../chain/decode-call.ts'
import { decodeSwap, type DecodedSwap } from './decode-swap.ts'
import type { Call } from '../chain/read-canonical-calls.ts'
import type { AskedSwap, Crossing, SwapContracts } from './swap.ts'

/**
 * A MulticallHandler's calls with the output of a fill; if one fails, the fallback recipient gets the output unchanged.
 */
const APPROVE = '0x095ea7b3'
/** A SpokePool takes no deposit whose deadline is further ahead, in seconds. */
const LONGEST_FILL = 21_600
const WHOLE = 10_000n

/** The transfer to another chain that a wallet asked for. */
export type CrossingTerms = AskedSwap & { contracts: SwapContracts; crossing: Crossing }

/** The deposit that calls make. Amounts in smallest units. */
export interface DecodedCrossing extends DecodedSwap {
  routing: 'BRIDGE' | 'CHAINED'
  /** Recipient of a refund, on the chain of the deposit. */
  depositor: Address
  /** Seconds since 1970 by the destination's clock; afterwards the bridge owes the deposit. */
  fillDeadline: number
  /** Tokens are exchanged after the bridge, by the filler. */
  swapsAfter: boolean
}

/** @throws Error unless the calls are a deposit with the known bridge, after an exchange if one is needed. */
export function decodeCrossing(calls: readonly Call[], asked: CrossingTerms): DecodedCrossing {
  const { tokenIn, contracts, crossing } = asked
  const { spokePool } = crossing
  const start = calls.findIndex((call) => isOfBridge(call, spokePool))
  const swapCalls = start < 0 ? calls : calls.slice(0, start)
  const depositCalls = start < 0 ? [] : calls.slice(start)
  const made = depositCalls.find(({ to }) => isAddressEqual(to, spokePool))
  if (!made) throw new Error('the intent deposits nothing with the bridge')
  const deposit = decodeDeposit(made)
  checkDeposit(deposit, crossing)

  const { inputToken, inputAmount, depositor, fillDeadline } = deposit
  const isCoin = isAddressEqual(tokenIn, zeroAddress) && isAddressEqual(inputToken, contracts.wrapped)
  const swapsBefore = !isCoin && !isAddressEqual(tokenIn, inputToken)
  if (made.value !== (isCoin ? inputAmount : 0n)) throw new Error('the deposit pays another amount')
  const paid = isCoin ? zeroAddress : inputToken
  demandApprovals(depositCalls, { contract: spokePool, token: paid, amount: inputAmount })
  if (!swapsBefore && swapCalls.length > 0)
    throw new Error('the intent makes other calls than its deposit needs')
  const before = swapsBefore
    ? decodeSwap(swapCalls, 'CLASSIC', { tokenIn, tokenOut: inputToken, contracts })
    : null
  if (before && !isAddressEqual(before.recipient, depositor))
    throw new Error('a call gives the output to somebody else')
  if (before && before.minimum !== inputAmount)
    throw new Error('the exchange before the bridge may give another amount than is deposited')

  const { swapsAfter, ...arrival } = decodeArrival(deposit, asked)
  return {
    ...arrival,
    swapsAfter,
    routing: before || swapsAfter ? 'CHAINED' : 'BRIDGE',
    amountIn: before?.amountIn ?? inputAmount,
    depositor,
    fillDeadline,
  }
}

/** A deposit with the bridge, as its calldata has it. */
export type Deposit = ReturnType<typeof decodeDeposit>

const isOfBridge = ({ to, data }: Call, spokePool: Address) =>
  isAddressEqual(to, spokePool) ||
  data.toLowerCase().startsWith(`${APPROVE}${pad(spokePool).slice(2).toLowerCase()}`)

/** @throws Error for a call that is no deposit, or has bytes that a deposit does not need. */
export function decodeDeposit(call: Call) {
  const args = decode(spokePoolAbi, 'deposit', call)
  const [
    depositor,
    recipient,
    inputToken,
    outputToken,
    inputAmount,
    outputAmount,
    chainId,
    relayer,
    ,
    fillDeadline,
  ] = args
  const [exclusivity, message] = [args[10], args[11]]
  return {
    depositor: fromBytes32(depositor),
    recipient: fromBytes32(recipient),
    inputToken: fromBytes32(inputToken),
    outputToken: fromBytes32(outputToken),
    inputAmount,
    outputAmount,
    chainId,
    exclusiveRelayer: fromBytes32(relayer),
    fillDeadline,
    exclusivity,
    message,
  }
}

/**
 * Chain, output, deadline and filler of a deposit.
 * @throws Error where one of them differs from the asked one.
 */
export function checkDeposit(
  deposit: Deposit,
  { chainId, carried, maxFeeBps = 300, now }: Pick<Crossing, 'chainId' | 'carried' | 'maxFeeBps' | 'now'>,
): void {
  if (deposit.chainId !== BigInt(chainId)) throw new Error('the bridge would pay on another chain')
  const pair = carried.find(
    ({ input, output }) =>
      isAddressEqual(input.token, deposit.inputToken) && isAddressEqual(output.token, deposit.outputToken),
  )
  if (!pair) throw new Error('the bridge would carry other tokens')
  const given = deposit.inputAmount * 10n ** BigInt(pair.output.decimals)
  const got = deposit.outputAmount * 10n ** BigInt(pair.input.decimals)
  if (got * WHOLE < given * (WHOLE - BigInt(maxFeeBps))) throw new Error('the bridge would keep too much')
  if (!isAddressEqual(deposit.exclusiveRelayer, zeroAddress) || deposit.exclusivity !== 0)
    throw new Error('one filler would have the deposit for itself')
  const time = now ?? Math.floor(Date.now() / 1_000)
  if (deposit.fillDeadline <= time || deposit.fillDeadline > time + LONGEST_FILL)
    throw new Error('the deadline of the deposit is past or too far away')
}

/** Output and recipient of a fill, either direct or through the calls of its message. */
function decodeArrival(
  { recipient, outputToken, outputAmount, fillDeadline, message }: Deposit,
  { tokenOut, crossing: { contracts, multicallHandler } }: CrossingTerms,
): Omit<DecodedSwap, 'amountIn'> & { swapsAfter: boolean } {
  const arrived = { minimum: outputAmount, deadline: BigInt(fillDeadline), swapsAfter: false }
  const isWrapped = isAddressEqual(outputToken, contracts.wrapped)
  if (message === '0x') {
    // A bridge pays native coins instead of wrapped ones to an address without code.
    demandTokens([isWrapped ? zeroAddress : outputToken, tokenOut])
    return { ...arrived, recipient }
  }
  if (!multicallHandler || !isAddressEqual(recipient, multicallHandler))
    throw new Error('the message is for another contract')
  const { calls, fallbackRecipient } = decodeMessage(message)
  if (calls.length === 0) {
    demandTokens([outputToken, tokenOut])
    return { ...arrived, recipient: fallbackRecipient }
  }
  const routing = isWrapped && isAddressEqual(tokenOut, zeroAddress) ? 'UNWRAP' : 'CLASSIC'
  const swap = decodeSwap(calls, routing, { tokenIn: outputToken, tokenOut, contracts })
  if (swap.amountIn !== outputAmount) throw new Error('the message exchanges another amount than arrives')
  if (!isAddressEqual(fallbackRecipient, swap.recipient))
    throw new Error('where the exchange fails, somebody else would get what arrives')
  if (swap.deadline !== null && swap.deadline < BigInt(fillDeadline))
    throw new Error('the exchange after the bridge would fail before the deposit expires')
  return { ...swap, swapsAfter: true }
}

/** @throws Error for bytes that the message's calls do not need. */
export function decodeMessage(message: Hex): { calls: Call[]; fallbackRecipient: Address } {
  const [instructions] = decodeAbiParameters(messageParameters, message)
  if (encodeAbiParameters(messageParameters, [instructions]) !== message.toLowerCase())
    throw new Error('the message has bytes that its calls do not need')
  const calls = instructions.calls.map(({ target, callData, value }) => ({
    to: target,
    data: callData,
    value,
  }))
  return { calls, fallbackRecipient: instructions.fallbackRecipient }
}

function fromBytes32(word: Hex): Address {
  if (!/^0x0{24}/.test(word)) throw new Error('a deposit names what is no address of the chain')
  return getAddress(slice(word, 12))
}
