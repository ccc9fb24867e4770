import { getAddress, type Address } from 'viem'
import type { SharedState } from '../../../../db/shared-state/shared-state.ts'
import type { Addresses } from '../../../addresses/addresses.ts'

export interface LookupAddressesOptions {
  addresses: Pick<Addresses, 'issue'>
  sharedState: Pick<SharedState, 'get' | 'set' | 'rateCounter'>
  /** Fresh addresses that lookups of one name may take in an hour. */
  freshPerHour: number
}

const HOUR_MS = 3_600_000

/**
 * Gives each lookup of a name an address of its own. Anybody can look a name up, so beyond an hour's share lookups get the
 * last one again: else strangers could use up what the account has left for those whom it gives an address itself.
 */
export function createLookupAddresses({ addresses, sharedState, freshPerHour }: LookupAddressesOptions) {
  const counter = sharedState.rateCounter({
    name: 'name-lookups',
    points: freshPerHour,
    seconds: HOUR_MS / 1_000,
  })
  return async (name: string, accountId: string): Promise<Address> => {
    const { taken } = await counter.take(name)
    const key = `name-lookup:${name}`
    const last = taken > freshPerHour ? await sharedState.get(key) : null
    if (last !== null) return getAddress(last)
    const { address } = await addresses.issue(accountId, 'external')
    await sharedState.set(key, address, HOUR_MS)
    return address
  }
}
