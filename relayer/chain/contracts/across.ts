import { encodeAbiParameters, keccak256, parseAbi, parseAbiParameters, type Hash, type Hex } from 'viem'

/** Events of Across SpokePools (V3 with bytes32 addresses) about deposits, fills and refunds. */
export const spokePoolEvents = parseAbi([
  'event FundsDeposited(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 indexed destinationChainId, uint256 indexed depositId, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes32 indexed depositor, bytes32 recipient, bytes32 exclusiveRelayer, bytes message)',
  'event FilledRelay(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 repaymentChainId, uint256 indexed originChainId, uint256 indexed depositId, uint32 fillDeadline, uint32 exclusivityDeadline, bytes32 exclusiveRelayer, bytes32 indexed relayer, bytes32 depositor, bytes32 recipient, bytes32 messageHash, (bytes32 updatedRecipient, bytes32 updatedMessageHash, uint256 updatedOutputAmount, uint8 fillType) relayExecutionInfo)',
  'event ExecutedRelayerRefundRoot(uint256 amountToReturn, uint256 indexed chainId, uint256[] refundAmounts, uint32 indexed rootBundleId, uint32 indexed leafId, address l2TokenAddress, address[] refundAddresses, bool deferredRefunds, address caller)',
  'event ClaimedRelayerRefund(bytes32 indexed l2TokenAddress, bytes32 indexed refundAddress, uint256 amount, address indexed caller)',
])

/** The event of a MulticallHandler that undid the calls of a message. */
export const handlerEvents = parseAbi([
  'event CallsFailed((address target, bytes callData, uint256 value)[] calls, address indexed fallbackRecipient)',
])

/** The members that identify a relay: those of a deposit and its fill are equal. */
export interface RelayMembers {
  originChainId: bigint
  destinationChainId: bigint
  depositId: bigint
  /** Addresses as 32 bytes, lower case. */
  depositor: Hex
  recipient: Hex
  exclusiveRelayer: Hex
  inputToken: Hex
  outputToken: Hex
  /** Smallest unit. */
  inputAmount: bigint
  outputAmount: bigint
  /** Seconds since 1970. */
  fillDeadline: number
  exclusivityDeadline: number
  /** keccak256 of the message; zero for an empty one. */
  messageHash: Hash
}

const RELAY_MEMBERS = parseAbiParameters(
  'uint256, uint256, uint256, bytes32, bytes32, bytes32, bytes32, bytes32, uint256, uint256, uint32, uint32, bytes32',
)
const NO_MESSAGE = `0x${'00'.repeat(32)}` as const

/** The hash of a message as events have it: zero for an empty one. */
export const hashMessage = (message: Hex): Hash => (message === '0x' ? NO_MESSAGE : keccak256(message))

/**
 * Hashes all members of a relay. A fill's event has only the hash of the message, so this is not the contract's own relay
 * hash. Like that hash, it differs as soon as any member does.
 */
export function computeRelayKey(relay: RelayMembers): Hash {
  return keccak256(
    encodeAbiParameters(RELAY_MEMBERS, [
      relay.originChainId,
      relay.destinationChainId,
      relay.depositId,
      relay.depositor,
      relay.recipient,
      relay.exclusiveRelayer,
      relay.inputToken,
      relay.outputToken,
      relay.inputAmount,
      relay.outputAmount,
      relay.fillDeadline,
      relay.exclusivityDeadline,
      relay.messageHash,
    ]),
  )
}
