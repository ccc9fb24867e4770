import { isAddressEqual, type Address } from 'viem'
import { listKnownAddresses } from '../../../db/transact/known-addresses.ts'
import { matchPoisoning, type PoisoningMatch } from '../../screening/match-poisoning.ts'
import type { QuoteParts } from '../quotes/quote-parts.ts'
import type { KnownAddress } from '../transact.ts'

/**
 * The address of the account's own, of its address book, or of those it dealt with that another one imitates.
 *
 * Whom the account itself wrote down or paid imitates nobody. Who merely paid it may: sending dust from an address that
 * looks like a known one is how such an address gets into a wallet's history.
 */
export async function matchKnown(
  { database }: Pick<QuoteParts, 'database'>,
  accountId: string,
  address: Address,
): Promise<PoisoningMatch<KnownAddress> | null> {
  const rows = await listKnownAddresses(database, accountId, address)
  const known = rows
    .filter((row) => row.source !== 'payer' || !isAddressEqual(row.address, address))
    .map((row): KnownAddress => ({
      address: row.address,
      source: row.source === 'paid' || row.source === 'payer' ? 'counterparty' : row.source,
      contactName: row.contactName,
    }))
  return matchPoisoning(address, known)
}
