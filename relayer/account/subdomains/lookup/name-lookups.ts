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

/** Addresses for the names of accounts. */
export interface NameLookups {
  /**
   * An address of the account that owns the name; null when the name is free.
   *
   * @param label The part before the parent name.
   * @param asker Who asks: a network, or a sending account. Opaque text, stored as a keyed hash that changes every
   * hour.
   * @throws ServiceError `too-many-requests` NAME_LOOKUPS_EXHAUSTED when the name's addresses of this hour are used
   * up and the asker has none of them.
   */
  find(label: string, asker: string): Promise<Address | null>
}

/** What the lookups are built from, and how many new addresses an asker and a name get in an hour. */
export interface NameLookupsOptions {
  database: DatabasePool
  addresses: Pick<Addresses, 'issue'>
  sharedState: Pick<SharedState, 'get' | 'set' | 'rateCounter'>
  secrets: Pick<TransientSecrets, 'digest'>
  config: Pick<NamesConfig, 'freshPerHour' | 'freshPerNetwork'>
}

const HOUR_MS = 3_600_000

/**
 * Creates the lookups: each is answered with a fresh address. Anyone can look a name up, so an asker gets a share of
 * an hour's addresses and then its own last one again, but never one that another asker got, because an address shows
 * what it is paid. A name's addresses per hour are limited too, so that strangers cannot use up what the account may
 * still issue.
 */
export function createNameLookups(options: NameLookupsOptions): NameLookups {
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
    // Resolvers ask by GET.
    const issued = await mayWrite(() => addresses.issue(accountId, 'external'))
    // An address that was issued before may be known to another payer.
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
