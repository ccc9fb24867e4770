import { randomBytes } from 'node:crypto'
import { bytesToHex, type Hash } from 'viem'
import { countCashOuts } from '../../../../db/transact/cash-orders.ts'
import type { Sealed } from '../../../identity/vault.ts'
import type { KindContext } from '../quote-kind.ts'
import type { SalePlace } from './find-sale-place.ts'
import { sealPayee } from './seal-payee.ts'

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
  { database, vault, accountId }: Pick<KindContext, 'database' | 'vault' | 'accountId'>,
  { venue, at }: Pick<SalePlace, 'venue' | 'at'>,
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
