import { zeroAddress, type Address } from 'viem'
import type { SimulatedRun } from '../intents/simulated-run.ts'

/**
 * Returns the change of an address's holdings in a run, by the address of the coin or token. Smallest units; the zero
 * address is the native coin.
 */
export function netChangesOf(
  { assetChanges }: Pick<SimulatedRun, 'assetChanges'>,
  address: Address,
): ReadonlyMap<string, bigint> {
  const changes = new Map<string, bigint>()
  const own = address.toLowerCase()
  for (const { type, token, from, to, amount } of assetChanges) {
    if (type !== 'native' && type !== 'erc20') continue
    const key = (token ?? zeroAddress).toLowerCase()
    const received = to.toLowerCase() === own ? amount : 0n
    const given = from.toLowerCase() === own ? amount : 0n
    if (received !== given) changes.set(key, (changes.get(key) ?? 0n) + received - given)
  }
  return changes
}
