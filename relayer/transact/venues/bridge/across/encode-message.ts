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

/** Instructions to a MulticallHandler about the tokens of a fill. */
export interface HandlerMessage {
  handler: Address
  /** Calls of the handler; none if it only passes the token on. */
  calls: readonly Call[]
  /** Gets the output of the calls, any rest, and the bridged token if the calls fail. Never the zero address. */
  recipient: Address
  /** Tokens that the calls give or may leave with the handler; the zero address is the coin. */
  drained: readonly Address[]
}

/**
 * Encodes the message that a MulticallHandler runs at the fill. If a call fails, all of them are undone and the
 * recipient gets the bridged token instead, in the same transaction. The handler keeps nothing, because the next caller
 * could take it.
 * @throws RangeError without a recipient: such a deposit could not be filled once a call fails.
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

/** Decodes the calls of such a message and the recipient of any rest; null for any other message. */
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
