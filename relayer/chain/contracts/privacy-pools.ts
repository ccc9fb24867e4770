import { parseAbi } from 'viem'

/** Functions and events of an Entrypoint of Privacy Pools v1 that the service uses. */
export const entrypointAbi = parseAbi([
  'struct Withdrawal { address processooor; bytes data; }',
  'struct WithdrawProof { uint256[2] pA; uint256[2][2] pB; uint256[2] pC; uint256[8] pubSignals; }',
  'function relay(Withdrawal _withdrawal, WithdrawProof _proof, uint256 _scope)',
  'function latestRoot() view returns (uint256)',
  'function assetConfig(address _asset) view returns (address pool, uint256 minimumDepositAmount, uint256 vettingFeeBPS, uint256 maxRelayFeeBPS)',
  'event WithdrawalRelayed(address indexed _relayer, address indexed _recipient, address indexed _asset, uint256 _amount, uint256 _feeAmount)',
])

/** The deposit functions of an Entrypoint of Privacy Pools v1: for the native coin, and for tokens. */
export const depositAbi = parseAbi([
  'function deposit(uint256 _precommitment) payable returns (uint256 _commitment)',
  'function deposit(address _asset, uint256 _value, uint256 _precommitment) returns (uint256 _commitment)',
])

/** Shows whether an Entrypoint has seen a deposit under a precommitment, in whatever pool. */
export const precommitmentsAbi = parseAbi([
  'function usedPrecommitments(uint256 _precommitment) view returns (bool)',
])

/** Functions and events of a pool of Privacy Pools v1 that the service reads. */
export const poolAbi = parseAbi([
  'function dead() view returns (bool)',
  'event Deposited(address indexed _depositor, uint256 _commitment, uint256 _label, uint256 _value, uint256 _precommitmentHash)',
  'function SCOPE() view returns (uint256)',
  'function roots(uint256 _index) view returns (uint256)',
  'function currentRoot() view returns (uint256)',
  'function currentTreeSize() view returns (uint256)',
  'function nullifierHashes(uint256 _nullifierHash) view returns (bool)',
])

/** Errors that a relay may revert with: of the Entrypoint, the pools, and the token and multicall contracts below them. */
export const relayErrorAbi = parseAbi([
  'error ContextMismatch()',
  'error FailedToSendNativeAsset()',
  'error IncorrectASPRoot()',
  'error InvalidEntrypointForPool()',
  'error InvalidPoolState()',
  'error InvalidProcessooor()',
  'error InvalidProof()',
  'error InvalidTreeDepth()',
  'error InvalidWithdrawalAmount()',
  'error MaxTreeDepthReached()',
  'error NativeAssetTransferFailed()',
  'error NullifierAlreadySpent()',
  'error PoolIsDead()',
  'error PoolNotFound()',
  'error RelayFeeGreaterThanMax()',
  'error ScopeMismatch()',
  'error UnknownStateRoot()',
  'error ZeroAddress()',
  'error SafeERC20FailedOperation(address token)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InvalidReceiver(address receiver)',
])

/** A depositor's public recovery of a note: pubSignals are commitment, nullifierHash, value and label. */
export const ragequitAbi = parseAbi([
  'struct RagequitProof { uint256[2] pA; uint256[2][2] pB; uint256[2] pC; uint256[4] pubSignals; }',
  'function ragequit(RagequitProof _proof)',
])
