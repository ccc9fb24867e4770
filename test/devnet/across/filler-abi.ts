import { parseAbi } from 'viem'

/** Functions of a SpokePool of Across (V3 with bytes32 addresses) that fillers and its owner call. */
export const fillerAbi = parseAbi([
  'struct Relay { bytes32 depositor; bytes32 recipient; bytes32 exclusiveRelayer; bytes32 inputToken; bytes32 outputToken; uint256 inputAmount; uint256 outputAmount; uint256 originChainId; uint256 depositId; uint32 fillDeadline; uint32 exclusivityDeadline; bytes message; }',
  'function getV3RelayHash(Relay relayData) view returns (bytes32)',
  'function fillStatuses(bytes32 relayHash) view returns (uint256)',
  'function fillRelay(Relay relayData, uint256 repaymentChainId, bytes32 repaymentAddress)',
  'function requestSlowFill(Relay relayData)',
  'struct SlowFill { Relay relayData; uint256 chainId; uint256 updatedOutputAmount; }',
  'function executeSlowRelayLeaf(SlowFill slowFillLeaf, uint32 rootBundleId, bytes32[] proof)',
  'struct Refund { uint256 amountToReturn; uint256 chainId; uint256[] refundAmounts; uint32 leafId; address l2TokenAddress; address[] refundAddresses; }',
  'function executeRelayerRefundLeaf(uint32 rootBundleId, Refund relayerRefundLeaf, bytes32[] proof)',
  'function relayRootBundle(bytes32 relayerRefundRoot, bytes32 slowRelayRoot)',
  'event RelayedRootBundle(uint32 indexed rootBundleId, bytes32 indexed relayerRefundRoot, bytes32 indexed slowRelayRoot)',
  'error RelayFilled()',
  'error ExpiredFillDeadline()',
  'error NotExclusiveRelayer()',
  'error InvalidSlowFillRequest()',
])

/** Functions of the tokens that a filler pays with: anybody may mint devnet tokens, coins are wrapped. */
export const fillerTokenAbi = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function mint(address to, uint256 amount)',
  'function deposit() payable',
])

/** A SpokePool's status of a relay hash. */
export const FILL_STATUS = { unfilled: 0n, slowFillRequested: 1n, filled: 2n } as const
