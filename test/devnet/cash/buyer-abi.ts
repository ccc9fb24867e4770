import { parseAbi } from 'viem'

/** Functions of the orchestrator that buyers call and read. */
export const buyerAbi = parseAbi([
  'struct ReferralFee { address recipient; uint256 fee; }',
  'struct SignalIntentParams { address escrow; uint256 depositId; uint256 amount; address to; bytes32 paymentMethod; bytes32 fiatCurrency; uint256 conversionRate; ReferralFee[] referralFees; bytes gatingServiceSignature; uint256 signatureExpiration; address postIntentHook; bytes preIntentHookData; bytes data; }',
  'struct FulfillIntentParams { bytes paymentProof; bytes32 intentHash; bytes verificationData; bytes postIntentHookData; }',
  'struct Intent { address owner; address to; address escrow; uint256 depositId; uint256 amount; uint256 timestamp; bytes32 paymentMethod; bytes32 fiatCurrency; uint256 conversionRate; bytes32 payeeId; ReferralFee[] referralFees; address postIntentHook; bytes data; }',
  'function signalIntent(SignalIntentParams _params)',
  'function cancelIntent(bytes32 _intentHash)',
  'function fulfillIntent(FulfillIntentParams _params)',
  'function releaseFundsToPayer(bytes32 _intentHash)',
  'function getIntent(bytes32 _intentHash) view returns (Intent)',
  'function getAccountIntents(address _account) view returns (bytes32[])',
  'error AccountHasActiveIntent(address account, bytes32 existingIntent)',
  'error IntentNotFound(bytes32 intentHash)',
  'error InvalidSignature()',
  'error PaymentVerificationFailed()',
  'error RateBelowMinimum(uint256 rate, uint256 minRate)',
  'error SignatureExpired(uint256 expiration, uint256 currentTime)',
])

/** Reads of a deposit, besides the ABI that the service has. */
export const escrowDepositAbi = parseAbi([
  'function getDepositPaymentMethods(uint256 _depositId) view returns (bytes32[])',
  'function getDepositCurrencies(uint256 _depositId, bytes32 _paymentMethod) view returns (bytes32[])',
  'function getDepositIntent(uint256 _depositId, bytes32 _intentHash) view returns ((bytes32 intentHash, uint256 amount, uint256 timestamp, uint256 expiryTime))',
  'function depositCounter() view returns (uint256)',
])

/** Sets the devnet's price feed. */
export const ratesAbi = parseAbi(['function set(bytes config, uint256 rate)'])
