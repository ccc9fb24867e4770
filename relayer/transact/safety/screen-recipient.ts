import type { Screening } from '../screening/screening.ts'
import type { Recipient } from './recipient.ts'

/**
 * Screens a recipient on the chain. No node is queried about an own address: it is refused only if it is already known
 * to be listed, and screened when it pays.
 * @throws ServiceError as Screening.
 */
export async function screenRecipient(
  { screening }: { screening: Screening },
  chainId: number,
  { address, owned }: Pick<Recipient, 'address' | 'owned'>,
): Promise<void> {
  if (owned) screening.refuseKnown(chainId, [address])
  else await screening.requireClear(chainId, [address])
}
