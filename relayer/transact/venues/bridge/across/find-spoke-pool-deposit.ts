import { decodeFunctionData, getAddress, isAddressEqual, slice, type Address, type Hex } from 'viem'
import type { Call } from '../../../intents/intent.ts'
import type { BridgeDeposit } from '../bridge-deposit.ts'
import { spokePoolAbi } from './across-abi.ts'

/** The first twelve of the 32 bytes of an EVM address. */
const NO_MORE = `0x${'00'.repeat(12)}`

/**
 * Finds the deposit that signed calls make with a SpokePool; null unless exactly one of them does. This calldata
 * decides what the chain will report about the deposit, whatever else a quote contains.
 */
export function findSpokePoolDeposit(
  calls: readonly Call[],
  { spokePool, originChainId }: { spokePool: Address; originChainId: number },
): BridgeDeposit | null {
  const deposits = calls.filter(({ to }) => isAddressEqual(to, spokePool))
  const [call] = deposits
  return call && deposits.length === 1 ? decodeDeposit(call.data, originChainId) : null
}

function decodeDeposit(data: Hex, originChainId: number): BridgeDeposit | null {
  try {
    const { functionName, args } = decodeFunctionData({ abi: spokePoolAbi, data })
    if (functionName !== 'deposit') return null
    const [depositor, recipient, inputToken, outputToken, inputAmount, outputAmount, destinationChainId] =
      args
    const [exclusiveRelayer, quoteTimestamp, fillDeadline, exclusivityDeadline, message] = args.slice(7) as [
      Hex,
      number,
      number,
      number,
      Hex,
    ]
    return {
      provider: 'across',
      originChainId,
      destinationChainId: Number(destinationChainId),
      depositor: fromBytes32(depositor),
      recipient: fromBytes32(recipient),
      exclusiveRelayer: fromBytes32(exclusiveRelayer),
      inputToken: fromBytes32(inputToken),
      outputToken: fromBytes32(outputToken),
      inputAmount,
      outputAmount,
      quoteTimestamp,
      fillDeadline,
      exclusivityDeadline,
      message,
    }
  } catch {
    return null
  }
}

function fromBytes32(word: Hex): Address {
  if (slice(word, 0, 12) !== NO_MORE) throw new RangeError('not an address of an EVM chain')
  return getAddress(slice(word, 12))
}
