// SPDX-License-Identifier: MIT
/** Everything a wallet needs to be paid and to pay. Pool notes, page providers and clear signing have entries of their own. */
export {
  demandOwn,
  openClient,
  openNewClient,
  type AccountInput,
  type Client,
  type ClientOptions,
} from './account/open-client.ts'
export { readBackup, writeBackup, type Backup, type BackupChain } from './account/backup.ts'
export { claimName } from './account/claim-name.ts'
export {
  followAccount,
  type AccountEvent,
  type ChangedBalance,
  type OrderProgress,
} from './account/follow-account.ts'
export { openReferrals, previewReferral, readEarnings, type ReferralTerms } from './account/refer.ts'
export {
  markSeen,
  readReview,
  skip,
  waitForItem,
  type Review,
  type ReviewItem,
} from './account/review-receipts.ts'
export { saveContact, type Contact } from './account/save-contact.ts'
export { deriveNoteKey, readNotes, writeNote } from './account/write-note.ts'
export { deriveTagKeys, readTag, writeTag, type TagKeys } from './account/write-tag.ts'
export {
  INTENT_TYPES,
  ORCHESTRATOR,
  type CarriedToken,
  type ChainContracts,
  type KnownChain,
} from './chain/known-chain.ts'
export { PINNED_CONTRACTS, pinChain } from './chain/pinned-contracts.ts'
export { sealKeys, type SealedKeys } from './keys/seal-keys.ts'
export { sealText, unsealText, type SealedText } from './keys/seal-text.ts'
export { createSignInMessage, type SignInTerms } from './keys/sign-in-message.ts'
export {
  deriveSharedKeys,
  deriveStealthAccount,
  listStealthAddresses,
  readNonce,
  type SharedKeys,
  type WalletKeys,
} from './keys/stealth-keys.ts'
export {
  askCashOut,
  cashOut,
  followCashOut,
  previewCashOut,
  withdrawCashOut,
  type CashOutContracts,
  type CashOutCrossing,
  type CashOutOptions,
  type CashOutPreview,
  type CashOutQuote,
  type CashOutState,
  type WithdrawalQuote,
  type WithdrawCashOutOptions,
} from './quotes/cash-out.ts'
export { type AskedCalls } from './quotes/check-calls.ts'
export {
  askQuote,
  refreshQuote,
  send,
  SubmissionFailed,
  submitSigned,
  waitUntilConfirmed,
  type Delegation,
  type Intent,
  type Quote,
  type SendOptions,
  type SpendLimits,
} from './quotes/send.ts'
export { signQuote, type AskedQuote } from './quotes/sign-quote.ts'
export { type Submission } from './quotes/sign-orders.ts'
export {
  askSwap,
  followCrossing,
  previewSwap,
  swap,
  type Crossing,
  type CrossingStatus,
  type SwapContracts,
  type SwapOptions,
  type SwapPreview,
  type SwapQuote,
} from './quotes/swap.ts'
export { canonicalize, verifyPayload, verifyQuote, type Json } from './quotes/verify-quote.ts'
export {
  verifyCollectible,
  withdrawCollectible,
  type CollectibleQuote,
  type CollectibleState,
  type WithdrawCollectibleOptions,
} from './quotes/withdraw-collectible.ts'
export { askGraph } from './requests/ask-graph.ts'
export { askService, type Connection } from './requests/ask-service.ts'
export { callOperation, type AnswerOf, type InputOf, type OperationName } from './requests/call-operation.ts'
export {
  OPERATIONS,
  RETRIES,
  type ErrorMembers,
  type Operations,
  type Schemas,
} from './requests/operations.ts'
export { followStream, StreamRefusal, type Followed } from './requests/read-events.ts'
export {
  isRefusal,
  ServiceRefusal,
  type ErrorBody,
  type ErrorCode,
  type Retry,
} from './requests/service-refusal.ts'
export { type Step } from './requests/step.ts'
