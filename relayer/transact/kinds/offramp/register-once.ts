import { randomBytes } from 'node:crypto'
import { bytesToHex, type Hash } from 'viem'
import { countCashOuts } from '../../../../db/transact/cash-orders.ts'
import type { Sealed } from '../../../identity/vault.ts'
import type { KindContext } from '../quote-kind.ts'
import type { SalePlace } from './find-sale-place.ts'
import { sealPayee } from './seal-payee.ts'

/** A payee that the venue knows. */
export interface RegisteredPayee {
  /** By which the escrow names the payee in public. */
  payeeDetails: Hash
  /** Cash-outs of the account to the same payee before: all of their addresses are linked by it. */
  earlierCashOuts: number
  /** The handle, to be kept with the quote; null where there is none. */
  sealed: Sealed | null
}

/** Tells the venue of a payee when the calls are made, once, and never before it is known that somebody can pay. */
export interface PayeeRegistration {
  register(): Promise<RegisteredPayee>
  /** Null before the calls were made. */
  registered(): RegisteredPayee | null
}

/** A hash that stands for nobody, in calls that are only run, or shown to others. */
export const nobodysDetails = (): Hash => bytesToHex(randomBytes(32))

/**
 * @param payee Null where nothing is signed: nobody is told of anything.
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
