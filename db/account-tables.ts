import { addressBookTables } from './account/address-book/contacts.ts'
import { dappUseTable } from './account/addresses/dapp-uses.ts'
import { stealthAddressTable } from './account/addresses/stealth-addresses.ts'
import { depositTables } from './account/balances/pool-deposits.ts'
import { accountHoldingTable } from './account/balances/address-holdings.ts'
import { accountEventTable } from './account/changes/account-events.ts'
import { accountChangeTables } from './account/changes/account-version.ts'
import { collectibleDepositTable } from './account/collectible/collectible-deposits.ts'
import { reviewTables } from './account/deposit-review/review-marks.ts'
import { feeWaiverTable } from './account/fee-waivers/fee-waivers.ts'
import { activityNoteTable } from './account/notes/activity-notes.ts'
import { addressTagTable } from './account/notes/address-tags.ts'
import { accountFeatureTable } from './account/profile/account-features.ts'
import { accountTable, dismissedPromptTable } from './account/profile/accounts.ts'
import { contactEmailTable } from './account/profile/contact-emails.ts'
import { referralAttributionTable } from './account/referrals/referral-attributions.ts'
import { referralEarningTable } from './account/referrals/referral-earnings.ts'
import { referralProfileTable } from './account/referrals/referral-profiles.ts'
import { subdomainTables } from './account/subdomains/subdomains.ts'
import type { AccountTable } from './account-table.ts'
import { accountTransactionTable } from './activity/account-activity.ts'
import { outboundTable } from './chain/broadcast/outbound-queue.ts'
import { signerTable } from './chain/broadcast/signer-leases.ts'
import { holdingTable } from './chain/indexer/holdings.ts'
import { watchedAddressTable } from './chain/indexer/watched-addresses.ts'
import { factTables } from './chain/indexer/write-facts.ts'
import { idempotencyKeyTable } from './idempotency/idempotency-keys.ts'
import { apiKeyTable } from './identity/api-keys.ts'
import { oauthCodeTable } from './identity/oauth-codes.ts'
import { nonceTable } from './identity/expiring-rows.ts'
import { clearSigningTable } from './inspect/clear-signing/snapshots.ts'
import { tokenMarketTables } from './market/prices/token-markets.ts'
import { tokenPriceTables } from './market/prices/token-prices.ts'
import { accountTokenTable } from './market/tokens/account-tokens.ts'
import { tokenSourceTables } from './market/tokens/token-sources.ts'
import { poolBookTable } from './pool/book/pool-books.ts'
import { poolSpendTable } from './pool/book/pool-spends.ts'
import { poolConversionTable } from './pool/notes/pool-conversions.ts'
import { batchShareTable } from './transact/batches.ts'
import { bridgeOrderTable } from './transact/bridge-orders.ts'
import { cashPayeeTable } from './transact/cash-payees.ts'
import { cashWithdrawalTable } from './transact/cash-withdrawals.ts'
import { cashOrderTable } from './transact/cash-orders.ts'
import { collectibleWithdrawalTable } from './transact/collectible-withdrawals.ts'
import { dappCallTable } from './transact/dapp-calls.ts'
import { intentTable } from './transact/intents-submit.ts'
import { poolRecoveryTable } from './transact/pool-recoveries.ts'
import { quoteTable } from './transact/quotes.ts'
import { unbookedEarningTable } from './transact/intents-end.ts'
import { reservationTables } from './transact/reservations.ts'

/**
 * Every table that holds an account's id or addresses, in the order of deletion: rows that are found through others go
 * before those. Add a new table here; a test compares the list with the database.
 */
export const ACCOUNT_TABLES: readonly AccountTable[] = [
  intentTable,
  batchShareTable,
  bridgeOrderTable,
  cashOrderTable,
  poolConversionTable,
  poolBookTable,
  poolSpendTable,
  poolRecoveryTable,
  collectibleWithdrawalTable,
  cashPayeeTable,
  cashWithdrawalTable,
  dappCallTable,
  ...reservationTables,
  unbookedEarningTable,
  quoteTable,
  ...factTables,
  accountTransactionTable,
  holdingTable,
  accountHoldingTable,
  watchedAddressTable,
  ...depositTables,
  nonceTable,
  dappUseTable,
  idempotencyKeyTable,
  oauthCodeTable,
  apiKeyTable,
  contactEmailTable,
  dismissedPromptTable,
  accountTokenTable,
  accountFeatureTable,
  ...addressBookTables,
  activityNoteTable,
  addressTagTable,
  feeWaiverTable,
  collectibleDepositTable,
  ...reviewTables,
  referralProfileTable,
  referralEarningTable,
  referralAttributionTable,
  ...subdomainTables,
  stealthAddressTable,
  // After all tables whose deletions these count.
  ...accountChangeTables,
  accountEventTable,
  accountTable,

  outboundTable,
  signerTable,
  ...tokenSourceTables,
  ...tokenMarketTables,
  ...tokenPriceTables,
  clearSigningTable,
]
