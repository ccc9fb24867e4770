import { randomBytes } from 'node:crypto'
import { bytesToHex, type Hash } from 'viem'
import { countCashOuts } from '../../../../db/transact/cash-orders.ts'
import { type Sealed, type Vault, cashPayeeOwner } from '../../../identity/vault.ts'
import type { KindContext } from '../quote-kind.ts'
import type { SalePlace } from './find-sale-place.ts'
import { findCashPayee } from '../../../../db/transact/cash-payees.ts'
import { padText, unpadText } from '../../../pool/book/book-content.ts'
import { quoteNotRefreshable } from '../../errors.ts'

/** A payee registered with the venue. */
export interface RegisteredPayee {
  /** The escrow's public hash of the payee. */
  payeeDetails: Hash
  /** The account's earlier cash-outs to the same payee, which links all of their addresses. */
  earlierCashOuts: number
  /** The sealed handle to store with the quote; null without a handle. */
  sealed: Sealed | null
}

/**
 * Registers a payee with the venue once, when the calls are built, and never before the account is known to be able to
 * pay.
 */
export interface PayeeRegistration {
  register(): Promise<RegisteredPayee>
  /** Null before the calls are built. */
  registered(): RegisteredPayee | null
}

/** Creates a random payee hash, for calls that are only run, or shown to others. */
export const nobodysDetails = (): Hash => bytesToHex(randomBytes(32))

/**
 * Creates the registration of a payee.
 * @param payee Null if nothing is signed: then the venue learns nothing.
 * @throws ServiceError on `register`: as the venue does.
 */
export function createRegistration(
  { database, vault, accountId }: KindContext,
  { venue, at }: SalePlace,
  { paymentMethod, payee }: { paymentMethod: string; payee: string | null },
): PayeeRegistration {
  let known: RegisteredPayee | null = null
  let asked: Promise<RegisteredPayee> | undefined
  const register = async (): Promise<RegisteredPayee> => {
    if (payee === null) return { payeeDetails: nobodysDetails(), earlierCashOuts: 0, sealed: null }
    const [payeeDetails, sealed] = await Promise.all([
      venue.register(at, { paymentMethod, handle: payee }),
      sealPayee(vault, accountId, payee),
    ])
    const earlierCashOuts = await countCashOuts(database, accountId, payeeDetails)
    return { payeeDetails, earlierCashOuts, sealed }
  }
  return {
    async register() {
      known = await (asked ??= register())
      return known
    },
    registered: () => known,
  }
}

/** Handles are padded to multiples of this size, which hides their length. */
const HANDLE_BYTES = 256

/** Seals a handle for its account. */
const sealPayee = (vault: Vault, accountId: string, handle: string): Promise<Sealed> =>
  vault.seal(cashPayeeOwner(accountId), padText(handle, HANDLE_BYTES))

/**
 * Opens the handle that a quote was made for.
 * @throws ServiceError `bad-request` QUOTE_NOT_REFRESHABLE once it was erased.
 * @throws VaultError for bytes of another account.
 */
export async function openPayee(
  { database, vault, accountId }: KindContext,
  quoteId: string,
): Promise<string> {
  const sealed = await findCashPayee(database, accountId, quoteId)
  if (!sealed) throw quoteNotRefreshable('The payee is no longer stored: request a new quote')
  return unpadText(await vault.open(cashPayeeOwner(accountId), sealed))
}
