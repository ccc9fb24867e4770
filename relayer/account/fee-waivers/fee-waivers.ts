import type { CommonQueryMethods, DatabasePool } from 'slonik'
import type { CollectionKey } from '../../../db/account/collectible/collectible-deposits.ts'
import {
  endSpentOffer,
  findActiveWaiver,
  findOfferExpiry,
  findSignerOf,
  insertActivationWaiver,
  insertSpentOffer,
  readFeeTerms,
} from '../../../db/account/fee-waivers/fee-waivers.ts'
import type { TransientSecrets } from '../../identity/transient-secrets.ts'
import type { FeeWaiversConfig } from './config.ts'

/** The state of an account's waiver of service fees. */
export interface FeeWaiver {
  active: boolean
  source: 'activation' | 'collectible' | null
  /** Null also for a waiver without an end. */
  activeUntil: Date | null
}

/** An account's present share of the service fees. */
export interface AccountFeeTerms {
  /** True if no fee is due: a waiver is in force, or the first submission will claim the offer. */
  waived: boolean
  /** Discount in basis points of a referred account; at most 10,000. */
  discountBps: number
}

/** Waivers of service fees. Every accountId here has been checked to be the caller's. */
export interface FeeWaivers {
  read(accountId: string): Promise<FeeWaiver>
  /** Reads the terms by one query. */
  readTerms(accountId: string): Promise<AccountFeeTerms>
  /** Returns until when the account may claim the activation offer; null if it cannot or no longer can. */
  offerExpiresAt(accountId: string): Promise<Date | null>
  /**
   * Claims the activation offer, which starts the waiver. Call it in the transaction that submits a quote whose fee
   * was waived. Does nothing if the offer was claimed, has expired, or a collectible waives the fees.
   *
   * @returns true if the offer was claimed now.
   */
  claimActivation(connection: CommonQueryMethods, accountId: string): Promise<boolean>
  /**
   * Withholds the offer from a sign-in address that claimed it before. Call it in the transaction that creates the
   * account.
   */
  welcome(connection: CommonQueryMethods, created: { accountId: string; authAddress: string }): Promise<void>
}

/**
 * Creates the fee waivers over PostgreSQL, whose clock decides about expiry.
 * @param config With `waiverDays` 0 there is no activation offer; granted waivers stay.
 * @param secrets Hashes the address that claimed the offer; without it no claim outlives its account.
 * @param collections Their tokens waive fees while they are held.
 */
export function createFeeWaivers(
  database: DatabasePool,
  config: FeeWaiversConfig,
  secrets?: TransientSecrets,
  collections: readonly CollectionKey[] = [],
): FeeWaivers {
  const isOffered = config.waiverDays > 0
  const markOf = (authAddress: string) => secrets?.digest('activation offer', authAddress.toLowerCase())
  return {
    async read(accountId) {
      const waiver = await findActiveWaiver(database, accountId, collections)
      return waiver ? { active: true, ...waiver } : { active: false, source: null, activeUntil: null }
    },
    async readTerms(accountId) {
      const { waived, discountBps } = await readFeeTerms(
        database,
        accountId,
        collections,
        isOffered ? config.claimDays : null,
      )
      return { waived, discountBps: Math.min(discountBps, 10_000) }
    },
    offerExpiresAt: async (accountId) =>
      isOffered ? findOfferExpiry(database, accountId, config.claimDays) : null,
    async claimActivation(connection, accountId) {
      if (!isOffered) return false
      if (!(await insertActivationWaiver(connection, accountId, collections, config))) return false
      const authAddress = await findSignerOf(connection, accountId)
      const mark = authAddress === null ? undefined : markOf(authAddress)
      if (mark) await insertSpentOffer(connection, mark)
      return true
    },
    async welcome(connection, { accountId, authAddress }) {
      const mark = markOf(authAddress)
      if (mark) await endSpentOffer(connection, accountId, mark)
    },
  }
}
