import { parseAbi } from 'viem'

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
