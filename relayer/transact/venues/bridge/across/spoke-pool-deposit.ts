import {
  encodeFunctionData,
  type Address,
  parseAbi,
  pad,
  type Hex,
  decodeFunctionData,
  getAddress,
  isAddressEqual,
  slice,
} from 'viem'
import { withApproval, type Call } from '../../../intents/intent.ts'
import type { BridgeDeposit } from '../bridge-deposit.ts'

/** Converts an EVM address to Across's form for addresses of any chain: twelve zero bytes, then the address. */
export const toBytes32 = (address: Address): Hex => pad(address, { size: 32 }).toLowerCase() as Hex

/** Functions of a SpokePool of Across (V3 with bytes32 addresses) that the service uses. */
export const spokePoolAbi = parseAbi([
  'function deposit(bytes32 depositor, bytes32 recipient, bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, bytes32 exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message) payable',
  'function depositQuoteTimeBuffer() view returns (uint32)',
  'function fillDeadlineBuffer() view returns (uint32)',
])

/** Functions of the MulticallHandler that a message's calls may use. */
export const multicallHandlerAbi = parseAbi([
  'function drainLeftoverTokens(address token, address destination)',
])

/** Payment of a deposit by an address. */
export interface DepositPayment {
  spokePool: Address
  /** The coin itself is paid, for an input token that is the chain's wrapped coin. */
  isCoin: boolean
  /** Allowance that the SpokePool already has from the payer, smallest unit. */
  allowance: bigint
}

/**
 * Encodes the calls of a deposit. A coin is sent along; for a token exactly the amount is approved.
 */
export function encodeDepositCalls(
  deposit: BridgeDeposit,
  { spokePool, isCoin, allowance }: DepositPayment,
): Call[] {
  const call: Call = { to: spokePool, value: isCoin ? deposit.inputAmount : 0n, data: encodeDeposit(deposit) }
  if (isCoin) return [call]
  const { inputToken: token, inputAmount: amount } = deposit
  return withApproval({ token, spender: spokePool, amount, allowance }, [call])
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
