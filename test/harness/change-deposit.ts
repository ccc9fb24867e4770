import {
  decodeAbiParameters,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  parseAbiParameters,
  type Address,
  type Hex,
} from 'viem'
import type { Call } from '../../relayer/transact/intents/intent.ts'
import { routerAbi } from '../../relayer/transact/venues/swap/uniswap/encode-swap.ts'
import type { SwapQuote } from '../../schema/client/quotes/swap.ts'
import { decodeCalls } from '../../schema/client/chain/decode-call.ts'
import { withCall } from './change-quote.ts'
import { spokePoolAbi } from '../../relayer/transact/venues/bridge/across/spoke-pool-deposit.ts'

const MESSAGE = parseAbiParameters(
  '((address target, bytes callData, uint256 value)[] calls, address fallbackRecipient)',
)
/** The message of a handler with these calls. */
export const messageOf = (calls: readonly Call[], fallbackRecipient: Address): Hex =>
  encodeAbiParameters(MESSAGE, [
    { calls: calls.map(({ to, data, value }) => ({ target: to, callData: data, value })), fallbackRecipient },
  ])

/** The calls of a message, and the recipient if they fail. */
export function readMessage(message: Hex): { calls: Call[]; fallbackRecipient: Address } {
  const [{ calls, fallbackRecipient }] = decodeAbiParameters(MESSAGE, message)
  return {
    calls: calls.map(({ target, callData, value }) => ({ to: target, data: callData, value })),
    fallbackRecipient,
  }
}

/** A leg through pools of v3. */
export interface Leg {
  path: Hex
  recipient: Address
  amountIn: bigint
  amountOutMinimum: bigint
}

/** A call of the router with another leg through pools of v3, and until another time. */
export function withLeg(call: Call, change: (leg: Leg) => object, until?: bigint): Call {
  const { args } = decodeFunctionData({ abi: routerAbi, data: call.data })
  const [deadline, [part]] = args as [bigint, readonly Hex[]]
  const [leg] = decodeFunctionData({ abi: routerAbi, data: part! }).args as [Leg]
  const legs = [
    encodeFunctionData({ abi: routerAbi, functionName: 'exactInput', args: [{ ...leg, ...change(leg) }] }),
  ]
  const changed = { abi: routerAbi, functionName: 'multicall', args: [until ?? deadline, legs] } as const
  return { ...call, data: encodeFunctionData(changed) }
}

/** The arguments of the deposit that a call makes; a suffix behind them does not matter here. */
const argumentsOf = ({ data }: Pick<Call, 'data'>): readonly unknown[] =>
  decodeFunctionData({ abi: spokePoolAbi, data }).args ?? []

/** The arguments of the deposit that a quote's call makes. */
export function depositOf({ intents: [intent] }: SwapQuote, place: number): readonly unknown[] {
  const call = decodeCalls(intent?.executionData ?? '0x')[place]
  if (!call) throw new Error('the quote has no such call')
  return argumentsOf(call)
}

/** Other arguments of a deposit, by their places, and the value that is sent along. */
export interface DepositChanges {
  [place: number]: unknown
  value?: bigint
}

/** The quote with another deposit, which carries the code. */
export const withDeposit = (
  quote: SwapQuote,
  place: number,
  { value, ...changes }: DepositChanges,
  code: string | null,
): SwapQuote =>
  withCall(
    quote,
    place,
    (call) => {
      const args = argumentsOf(call).map((argument, index) => (changes as DepositChanges)[index] ?? argument)
      const data = encodeFunctionData({ abi: spokePoolAbi, functionName: 'deposit', args: args as never })
      return { ...call, data, value: value ?? call.value }
    },
    code,
  )
