import type { DatabasePool } from 'slonik'
import type { CollectionKey } from '../../../db/account/collectible/collectible-deposits.ts'
import { readFeeTerms } from '../../../db/account/fee-waivers/fee-terms.ts'
import {
  endSpentOffer,
  findActiveWaiver,
  findOfferExpiry,
  findSignerOf,
  insertActivationWaiver,
  insertSpentOffer,
} from '../../../db/account/fee-waivers/fee-waivers.ts'
import type { TransientSecrets } from '../../identity/transient-secrets.ts'
import type { FeeWaiversConfig } from './config.ts'
import type { FeeWaivers } from './fee-waivers.ts'

/** Dependencies of the waivers. `waiverDays` 0 switches the activation offer off; granted waivers stay. */
export interface FeeWaiversOptions {
  database: DatabasePool
  config: FeeWaiversConfig
  /** Collections whose tokens waive fees while they are held; default none. */
  collections?: readonly CollectionKey[]
  /** Hashes the address that claimed the offer; without it no claim outlives its account. */
  secrets?: Pick<TransientSecrets, 'digest'>
}

/** Creates the fee waivers over PostgreSQL, whose clock decides about expiry. */
export function createFeeWaivers({
  database,
  config,
  collections = [],
  secrets,
}: FeeWaiversOptions): FeeWaivers {
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
