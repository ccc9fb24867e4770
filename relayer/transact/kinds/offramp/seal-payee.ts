import { findCashPayee } from '../../../../db/transact/cash-payees.ts'
import { type Sealed, type Vault, cashPayeeOwner } from '../../../identity/vault.ts'
import { padText, unpadText } from '../../../pool/book/book-content.ts'
import { quoteNotRefreshable } from '../../errors.ts'
import type { KindContext } from '../quote-kind.ts'

/** Handles are padded to multiples of this size, which hides their length. */
const HANDLE_BYTES = 256

/** Seals a handle for its account. */
export const sealPayee = (vault: Pick<Vault, 'seal'>, accountId: string, handle: string): Promise<Sealed> =>
  vault.seal(cashPayeeOwner(accountId), padText(handle, HANDLE_BYTES))

/**
 * Opens the handle that a quote was made for.
 * @throws ServiceError `bad-request` QUOTE_NOT_REFRESHABLE once it was erased.
 * @throws VaultError for bytes of another account.
 */
export async function openPayee(
  { database, vault, accountId }: Pick<KindContext, 'database' | 'vault' | 'accountId'>,
  quoteId: string,
): Promise<string> {
  const sealed = await findCashPayee(database, accountId, quoteId)
  if (!sealed) throw quoteNotRefreshable('Who was to be paid is not known any more: ask for a new quote')
  return unpadText(await vault.open(cashPayeeOwner(accountId), sealed))
}
