import {
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  isAddressEqual,
  parseAbiParameters,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import type { Call } from '../../../intents/intent.ts'
import { multicallHandlerAbi } from './across-abi.ts'

const INSTRUCTIONS = parseAbiParameters([
  'Instructions instructions',
  'struct Instructions { Call[] calls; address fallbackRecipient; }',
  'struct Call { address target; bytes callData; uint256 value; }',
])

/** What a MulticallHandler is to do with what a fill brings it. */
export interface HandlerMessage {
  handler: Address
  /** Calls of the handler; none where it is only to pass the token on as it is. */
  calls: readonly Call[]
  /** Gets what comes out of the calls, what they leave, and the bridged token if they fail. Never the zero address. */
  recipient: Address
  /** What the calls give and what they could leave with the handler; the zero address is the coin. */
  drained: readonly Address[]
}

/**
 * The message of a deposit that a MulticallHandler runs when it is filled. If a call fails, all of them are undone and the
 * recipient gets the bridged token instead, in the same transaction. The handler keeps nothing: the first comer could take
 * it.
 * @throws RangeError without a recipient: nobody could fill such a deposit once a call fails.
 */
export function encodeMessage({ handler, calls, recipient, drained }: HandlerMessage): Hex {
  if (isAddressEqual(recipient, zeroAddress)) throw new RangeError('a message needs a recipient')
  const drains = drained.map((token) => ({
    target: handler,
    value: 0n,
    callData: encodeFunctionData({
      abi: multicallHandlerAbi,
      functionName: 'drainLeftoverTokens',
      args: [token, recipient],
    }),
  }))
  return encodeAbiParameters(INSTRUCTIONS, [
    {
      calls: [...calls.map(({ to, value, data }) => ({ target: to, callData: data, value })), ...drains],
      fallbackRecipient: recipient,
    },
  ])
}

/** The calls of such a message and who gets what they leave; null for what is none. */
export function decodeMessage(message: Hex): { calls: readonly Call[]; recipient: Address } | null {
  try {
    const [{ calls, fallbackRecipient }] = decodeAbiParameters(INSTRUCTIONS, message)
    return {
      calls: calls.map(({ target, callData, value }) => ({ to: target, data: callData, value })),
      recipient: fallbackRecipient,
    }
  } catch {
    return null
  }
}
