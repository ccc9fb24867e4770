import type { Screening } from '../screening/screening.ts'
import type { Recipient } from './recipient.ts'

/**
 * Passes a recipient that may be served on the chain. Of an own address no node hears: it is refused only where it is known to be
 * listed, and screened when it pays.
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
