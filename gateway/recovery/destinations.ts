import type { OwnAddress } from 'stealth-relay/client/recovery'
import { getAddress, isAddress, type Address } from 'viem'
import { DESTINATIONS } from './texts.ts'

/** Destinations of money. The most exact one counts: that of an own address, then that of a chain. */
export interface Destinations {
  all: Address | null
  byChain: ReadonlyMap<number, Address>
  byOwner: ReadonlyMap<Address, Address>
}

/** An own address on a chain. */
export interface MovePlace {
  chainId: number
  owner: Pick<OwnAddress, 'address'>
}

/** The destination of what an own address has on a chain; null if none was given. */
export const findDestination = (
  { all, byChain, byOwner }: Destinations,
  { chainId, owner }: MovePlace,
): Address | null => byOwner.get(getAddress(owner.address)) ?? byChain.get(chainId) ?? all

/** As {@link findDestination}. @throws Error if none was given: nothing may go to a place that nobody named. */
export function demandDestination(destinations: Destinations, place: MovePlace): Address {
  const found = findDestination(destinations, place)
  if (!found) throw new Error(DESTINATIONS.none(place.owner.address))
  return found
}

/** Reads `ADDRESS`, `CHAIN:ADDRESS` and `OWN_ADDRESS:ADDRESS`. @throws Error in words. */
export function readDestinations(texts: readonly string[]): Destinations {
  const byChain = new Map<number, Address>()
  const byOwner = new Map<Address, Address>()
  let all: Address | null = null
  for (const text of texts) {
    const [of, to] = text.includes(':') ? text.split(':') : ['', text]
    if (!to || !isAddress(to)) throw new Error(DESTINATIONS.bad(text))
    const address = getAddress(to)
    if (of === '') all = address
    else if (isAddress(of ?? '')) byOwner.set(getAddress(of as Address), address)
    else if (/^\d+$/.test(of ?? '')) byChain.set(Number(of), address)
    else throw new Error(DESTINATIONS.bad(text))
  }
  return { all, byChain, byOwner }
}
