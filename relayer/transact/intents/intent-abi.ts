import { parseAbi } from 'viem'

/** Functions and events of the Orchestrator of porto@0.2.37 that the service uses. */
export const orchestratorAbi = parseAbi([
  'function execute(bytes encodedIntent) payable returns (bytes4)',
  'function execute(bytes[] encodedIntents) payable returns (bytes4[])',
  'function simulateExecute(bool isStateOverride, uint256 combinedGasOverride, bytes encodedIntent) payable returns (uint256)',
  'function accountImplementationOf(address eoa) view returns (address)',
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
  'event IntentExecuted(address indexed eoa, uint256 indexed nonce, bool incremented, bytes4 err)',
])

/** Errors of tokens: those of ERC-6093, and of libraries that tokens and contracts use. */
const tokenErrorAbi = parseAbi([
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InvalidSender(address sender)',
  'error ERC20InvalidReceiver(address receiver)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error ERC20InvalidApprover(address approver)',
  'error ERC20InvalidSpender(address spender)',
  'error SafeERC20FailedOperation(address token)',
  'error AddressEmptyCode(address target)',
  'error FailedCall()',
  'error FailedInnerCall()',
  'error InsufficientBalance(uint256 balance, uint256 needed)',
  'error InsufficientBalance()',
  'error EnforcedPause()',
  'error ReentrancyGuardReentrantCall()',
  'error OwnableUnauthorizedAccount(address account)',
  'error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)',
])

/** Errors of venues: those of OutputGuard, and of Across when it refuses a deposit. */
const venueErrorAbi = parseAbi([
  'error NothingNoted()',
  'error OutputTooLow(uint256 received, uint256 minimum)',
  'error DepositsArePaused()',
  'error DisabledRoute()',
  'error InvalidExclusiveRelayer()',
  'error InvalidFillDeadline()',
  'error InvalidOutputToken()',
  'error InvalidQuoteTimestamp()',
  'error MsgValueDoesNotMatchInputAmount()',
])

/** Errors of Privacy Pools v1 and their Entrypoint when they refuse a deposit or a recovery. */
const poolErrorAbi = parseAbi([
  'error MinimumDepositAmount()',
  'error PrecommitmentAlreadyUsed()',
  'error PoolIsDead()',
  'error PoolNotFound()',
  'error InvalidDepositValue()',
  'error InvalidCommitment()',
  'error InvalidProof()',
  'error NullifierAlreadySpent()',
  'error OnlyOriginalDepositor()',
])

/** Errors of a failing intent: of the Orchestrator, of the account, of tokens, of venues, and of pools. */
export const intentErrorAbi = [
  ...tokenErrorAbi,
  ...venueErrorAbi,
  ...poolErrorAbi,
  ...parseAbi([
    'error CallError()',
    'error InsufficientGas()',
    'error IntentExpired()',
    'error InvalidPreCallEOA()',
    'error OrderAlreadyFilled()',
    'error PaymentError()',
    'error PreCallError()',
    'error PreCallVerificationError()',
    'error Reentrancy()',
    'error SimulateExecuteFailed()',
    'error SimulationPassed(uint256 gUsed)',
    'error StateOverrideError()',
    'error UnauthorizedCallContext()',
    'error UnsupportedAccountImplementation()',
    'error VerificationError()',
    'error VerifiedCallError()',
    'error BatchOfBatchesDecodingError()',
    'error CannotSelfExecute()',
    'error ExceededSpendLimit(address token)',
    'error ExceedsCapacity()',
    'error FnSelectorNotRecognized()',
    'error IndexOutOfBounds()',
    'error InvalidNonce()',
    'error InvalidPublicKey()',
    'error KeyDoesNotExist()',
    'error KeyHashIsZero()',
    'error KeyTypeCannotBeSuperAdmin()',
    'error NewImplementationIsZero()',
    'error NewSequenceMustBeLarger()',
    'error NoSpendPermissions()',
    'error OpDataError()',
    'error PaymasterNonceError()',
    'error SuperAdminCanExecuteEverything()',
    'error SuperAdminCanSpendAnything()',
    'error Unauthorized()',
    'error UnauthorizedCall(bytes32 keyHash, address target, bytes data)',
    'error UnsupportedExecutionMode()',
    // Errors of the library that both use for transfers.
    'error ETHTransferFailed()',
    'error TransferFailed()',
  ]),
] as const
