import type { DatabasePool } from 'slonik'
import type { QuoteSigner } from '../../../proving/signing/quote-signer.ts'
import type { Addresses } from '../../account/addresses/addresses.ts'
import type { Vault } from '../../identity/vault.ts'
import type { Prices } from '../../market/prices/prices.ts'
import type { Tokens } from '../../market/tokens/tokens.ts'
import type { PoolBooks } from '../../pool/book/pool-books.ts'
import type { Withdrawals } from '../../pool/relay/withdrawals.ts'
import type { PoolAccess } from '../../pool/state/find-account-pool.ts'
import type { RecipientParts } from '../safety/check-recipient.ts'
import type { SpendFactParts } from './spend-progress.ts'
import type { QuoteBoard } from '../submissions/follow-quote.ts'
import type { Screening } from '../screening/create-screening.ts'

/** Parts of reported spending. */
export interface SpendingParts extends RecipientParts {
  database: DatabasePool
  vault: Vault
  books: PoolBooks
  /** The served chains. */
  chains: SpendFactParts['chains']
  board: QuoteBoard
  accountPools: PoolAccess
  withdrawals: Withdrawals
  tokens: Tokens
  prices: Prices
  addresses: Addresses
  screening: Screening
  signer: QuoteSigner
}
