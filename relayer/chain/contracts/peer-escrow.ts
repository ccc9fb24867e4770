import {
  encodeAbiParameters,
  keccak256,
  parseAbi,
  parseAbiParameters,
  stringToHex,
  type Address,
  type Hash,
  type Hex,
} from 'viem'

/** EscrowV2 of Peer: the functions of a seller, and the events about deposits and buyers' intents. */
export const peerEscrowAbi = parseAbi([
  'struct Range { uint256 min; uint256 max; }',
  'struct OracleRateConfig { address adapter; bytes adapterConfig; int16 spreadBps; uint32 maxStaleness; }',
  'struct Currency { bytes32 code; uint256 minConversionRate; OracleRateConfig oracleRateConfig; }',
  'struct PaymentMethodData { address intentGatingService; bytes32 payeeDetails; bytes data; }',
  'struct CreateDepositParams { address token; uint256 amount; Range intentAmountRange; bytes32[] paymentMethods; PaymentMethodData[] paymentMethodData; Currency[][] currencies; address delegate; address intentGuardian; bool retainOnEmpty; }',
  'struct Deposit { address depositor; address delegate; address token; Range intentAmountRange; bool acceptingIntents; uint256 remainingDeposits; uint256 outstandingIntentAmount; address intentGuardian; bool retainOnEmpty; }',
  'function createDeposit(CreateDepositParams _params)',
  'function depositTo(address _depositor, CreateDepositParams _params)',
  'function removeFunds(uint256 _depositId, uint256 _amount)',
  'function withdrawDeposit(uint256 _depositId)',
  'function pruneExpiredIntents(uint256 _depositId)',
  'function getDeposit(uint256 _depositId) view returns (Deposit)',
  'function getDepositIntentHashes(uint256 _depositId) view returns (bytes32[])',
  'function getEffectiveRate(uint256 _depositId, bytes32 _paymentMethod, bytes32 _currencyCode) view returns (uint256)',
  'function getExpiredIntents(uint256 _depositId) view returns (bytes32[] expiredIntents, uint256 reclaimableAmount)',
  'event DepositReceived(uint256 indexed depositId, address indexed depositor, address indexed token, uint256 amount, Range intentAmountRange, address delegate, address intentGuardian)',
  'event DepositPaymentMethodAdded(uint256 indexed depositId, bytes32 indexed paymentMethod, bytes32 indexed payeeDetails, address intentGatingService)',
  'event DepositCurrencyAdded(uint256 indexed depositId, bytes32 indexed paymentMethod, bytes32 indexed currency, uint256 minConversionRate)',
  'event DepositOracleRateConfigSet(uint256 indexed depositId, bytes32 indexed paymentMethod, bytes32 indexed currencyCode, address adapter, bytes adapterConfig, int16 spreadBps, uint32 maxStaleness)',
  'event DepositFundsAdded(uint256 indexed depositId, address indexed depositor, uint256 amount)',
  'event DepositWithdrawn(uint256 indexed depositId, address indexed depositor, uint256 amount)',
  'event DepositClosed(uint256 depositId, address depositor)',
  'event DepositAcceptingIntentsUpdated(uint256 indexed depositId, bool acceptingIntents)',
  'event FundsLocked(uint256 indexed depositId, bytes32 indexed intentHash, uint256 amount, uint256 expiryTime)',
  'event FundsUnlocked(uint256 indexed depositId, bytes32 indexed intentHash, uint256 amount)',
  'event FundsUnlockedAndTransferred(uint256 indexed depositId, bytes32 indexed intentHash, uint256 unlockedAmount, uint256 transferredAmount, address to)',
  'event IntentExpiryExtended(uint256 indexed depositId, bytes32 indexed intentHash, uint256 newExpiryTime)',
  'event DustCollected(uint256 indexed depositId, uint256 dustAmount, address indexed dustRecipient)',
  'error AmountAboveMax(uint256 amount, uint256 max)',
  'error AmountBelowMin(uint256 amount, uint256 min)',
  'error AmountExceedsAvailable(uint256 requested, uint256 available)',
  'error CurrencyNotSupported(bytes32 paymentMethod, bytes32 currency)',
  'error DepositNotAcceptingIntents(uint256 depositId)',
  'error DepositNotFound(uint256 depositId)',
  'error InsufficientDepositLiquidity(uint256 depositId, uint256 available, uint256 required)',
  'error PaymentMethodNotWhitelisted(bytes32 paymentMethod)',
  'error UnauthorizedCallerOrDelegate(address caller, address owner, address delegate)',
  'error ZeroConversionRate()',
])

/** OrchestratorV3 of Peer: the intents of buyers and their ends. */
export const peerOrchestratorAbi = parseAbi([
  'function releaseFundsToPayer(bytes32 _intentHash)',
  'event IntentSignaled(bytes32 indexed intentHash, address indexed escrow, uint256 indexed depositId, bytes32 paymentMethod, address owner, address to, uint256 amount, bytes32 fiatCurrency, uint256 conversionRate, uint256 timestamp)',
  'event IntentPruned(bytes32 indexed intentHash)',
  'event IntentFulfilled(bytes32 indexed intentHash, address indexed fundsTransferredTo, uint256 amount, bool isManualRelease)',
])

/** A price feed as the escrow reads it: the price of one whole token in a currency, times 1e18. */
export const rateAdapterAbi = parseAbi([
  'function getRate(bytes config) view returns (bool valid, uint256 rate, uint256 updatedAt)',
])

/** Hashes the name of a payment method (`venmo`) or a currency (`USD`) as the contracts do. */
export const hashOfName = (name: string): Hash => keccak256(stringToHex(name))

/** The price source and the minimum price of one currency. */
export interface DepositCurrency {
  code: Hash
  /** Times 1e18. */
  minConversionRate: bigint
  oracleRateConfig: { adapter: Address; adapterConfig: Hex; spreadBps: number; maxStaleness: number }
}

/** The parameters of `createDeposit` and `depositTo`. */
export interface CreateDepositParams {
  token: Address
  /** Smallest unit, as all amounts here. */
  amount: bigint
  intentAmountRange: { min: bigint; max: bigint }
  paymentMethods: readonly Hash[]
  /** One for each method. */
  paymentMethodData: readonly { intentGatingService: Address; payeeDetails: Hash; data: Hex }[]
  /** The currencies of each method. */
  currencies: readonly (readonly DepositCurrency[])[]
  delegate: Address
  intentGuardian: Address
  retainOnEmpty: boolean
}

const KEY_MEMBERS = parseAbiParameters([
  'address depositor, address token, uint256 amount, uint256 min, uint256 max, address delegate, address intentGuardian, Method[] methods',
  'struct Method { bytes32 method; bytes32 payeeDetails; address gatingService; Currency[] currencies; }',
  'struct Currency { bytes32 code; uint256 minRate; }',
])

/** The members of a new deposit that its events contain. */
export interface DepositMembers {
  depositor: Address
  token: Address
  /** Smallest unit. */
  amount: bigint
  intentAmountRange: { min: bigint; max: bigint }
  delegate: Address
  intentGuardian: Address
  methods: readonly {
    method: Hash
    payeeDetails: Hash
    gatingService: Address
    currencies: readonly { code: Hash; minRate: bigint }[]
  }[]
}

/** Hashes the members of a new deposit; signed calldata and events give the same hash. */
export function computeMembersKey(members: DepositMembers): Hash {
  const { depositor, token, amount, intentAmountRange, delegate, intentGuardian, methods } = members
  const { min, max } = intentAmountRange
  return keccak256(
    encodeAbiParameters(KEY_MEMBERS, [depositor, token, amount, min, max, delegate, intentGuardian, methods]),
  )
}

/**
 * Hashes the same members of calldata to be signed. It omits members that no event repeats as signed: further data of
 * methods, the price feed, and whether an empty deposit stays open. The feed may rewrite its configuration.
 */
export function computeDepositKey(depositor: Address, params: CreateDepositParams): Hash {
  const methods = params.paymentMethods.map((method, index) => {
    const data = params.paymentMethodData[index]
    if (!data) throw new RangeError('a payment method without its data')
    const currencies = (params.currencies[index] ?? []).map(({ code, minConversionRate }) => ({
      code,
      minRate: minConversionRate,
    }))
    return { method, payeeDetails: data.payeeDetails, gatingService: data.intentGatingService, currencies }
  })
  return computeMembersKey({ ...params, depositor, methods })
}
