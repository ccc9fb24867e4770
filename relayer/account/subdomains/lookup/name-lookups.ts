import { getAddress, type Address } from 'viem'
import type { DatabasePool } from 'slonik'
import { mayWrite } from '../../../../db/refuse-writes.ts'
import type { SharedState } from '../../../../db/shared-state/shared-state.ts'
import { findNameOwner } from '../../../../db/account/subdomains/subdomains.ts'
import type { Addresses } from '../../addresses/addresses.ts'
import type { TransientSecrets } from '../../../identity/transient-secrets.ts'
import type { NamesConfig } from '../config.ts'
import { normalizeSubdomain } from '../normalize-subdomain.ts'
import { nameLookupsExhausted } from '../errors.ts'

/** Issues addresses for lookups of accounts' names. */
export interface NameLookups {
  /**
   * Returns an address of the account that owns the name; null if the name is free.
   *
   * @param label The part before the parent name.
   * @param asker The asking network or sending account. Opaque text, stored as a keyed hash that changes every hour.
   * @throws ServiceError `too-many-requests` NAME_LOOKUPS_EXHAUSTED if the name's addresses of this hour are used up
   * and the asker has none of them.
   */
  find(label: string, asker: string): Promise<Address | null>
}

const HOUR_MS = 3_600_000

/**
 * Creates the lookups. Each is answered with a fresh address, within limits, because anyone can look a name up. An
 * asker gets a share of an hour's addresses, and then its own last one again. It never gets an address of another
 * asker, because an address shows its payments. A name's addresses per hour are limited too, so that strangers cannot
 * exhaust the account's own limit.
 */
export function createNameLookups(options: {
  database: DatabasePool
  addresses: Addresses
  sharedState: SharedState
  secrets: TransientSecrets
  config: NamesConfig
}): NameLookups {
  const { database, addresses, sharedState, secrets, config } = options
  const counterOf = (name: string, points: number) =>
    sharedState.rateCounter({ name, points, seconds: HOUR_MS / 1_000 })
  const byAsker = counterOf('name-lookups-of-asker', config.freshPerNetwork)
  const byName = counterOf('name-lookups', config.freshPerHour)

  async function addressFor(label: string, accountId: string, asker: string): Promise<Address> {
    const key = keyOf(label, asker)
    const earlier = async () => {
      const address = await sharedState.get(key)
      return address === null ? null : getAddress(address)
    }
    const { taken } = await byAsker.take(key)
    const own = taken > config.freshPerNetwork ? await earlier() : null
    if (own) return own
    const ofName = await byName.take(label)
    if (ofName.taken > config.freshPerHour) return (await earlier()) ?? exhausted(ofName.resetMs)
    // By ERC-3668 lookups arrive by GET, whose work is otherwise read-only.
    const issued = await mayWrite(() => addresses.issue(accountId, 'external'))
    // Another payer may know an address that was issued before.
    if (issued.reused) return (await earlier()) ?? exhausted(untilReset(issued.limitResetsAt))
    await sharedState.set(key, issued.address, HOUR_MS)
    return issued.address
  }

  function keyOf(label: string, asker: string): string {
    const hour = Math.floor(Date.now() / HOUR_MS)
    return `name-lookup:${secrets.digest(`name lookup of hour ${hour}`, `${label}\n${asker}`).toString('hex')}`
  }

  return {
    async find(label, asker) {
      if (normalizeSubdomain(label) !== label) return null
      const accountId = await findNameOwner(database, label)
      return accountId === null ? null : addressFor(label, accountId, asker)
    },
  }
}

const untilReset = (at: Date | null) => (at === null ? HOUR_MS : Math.max(1_000, at.getTime() - Date.now()))

function exhausted(resetMs: number): never {
  throw nameLookupsExhausted({ retryAfterSeconds: Math.ceil(resetMs / 1_000) })
}
