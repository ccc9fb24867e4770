import { sealedKeys } from './account/profile/accounts.ts'
import { sealedEmail } from './account/profile/contact-emails.ts'
import { sealedAnswers } from './idempotency/idempotency-keys.ts'
import { apiKeySeal } from './identity/api-keys.ts'
import { sealedCodes } from './identity/oauth-codes.ts'
import { sealedServerKey } from './identity/server-keys.ts'
import { sealedBook } from './pool/book/pool-books.ts'
import { sealedSpend } from './pool/book/pool-spends.ts'
import { sealedPayee } from './transact/cash-payees.ts'
import type { SealedColumn, ShortLivedSecret } from './sealed-column.ts'

/**
 * Every column of secrets and seals that is rewrapped under a new master key, by its name in reports. Each is declared
 * beside its store; a test compares this list and the next with the database.
 */
export const SEALED_COLUMNS = {
  account: sealedKeys,
  'contact-email': sealedEmail,
  'pool-book': sealedBook,
  'pool-spend': sealedSpend,
  'cash-payee': sealedPayee,
  'server-key': sealedServerKey,
  'api-key': apiKeySeal,
} as const satisfies Record<string, SealedColumn>

/** The sealed columns whose content expires before a master key is dropped. */
export const SHORT_LIVED_SECRETS: readonly ShortLivedSecret[] = [sealedCodes, sealedAnswers]
