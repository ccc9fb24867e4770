import type { CommonQueryMethods } from 'slonik'
import { isAddressEqual, type Address } from 'viem'
import { listKnownAddresses, type KnownAddressRow } from '../../../db/transact/known-addresses.ts'
import { matchPoisoning, type PoisoningMatch } from '../screening/match-poisoning.ts'

/** An address known to the account, with its source. */
export interface KnownAddress {
  address: Address
  source: 'counterparty' | 'own_address' | 'address_book'
  contactName: string | null
}

/** Result of comparing a recipient with the known addresses. */
export interface KnownMatch {
  /** True for one of the account's own addresses. */
  owned: boolean
  poisoning: PoisoningMatch<KnownAddress> | null
}

/**
 * Compares an address with the own ones, the contacts, and those of earlier payments, in one query. Contacts, and
 * recipients of payments that the account signed, imitate no other address. An address known only from logs may:
 * look-alikes get into a wallet's history by dust, or by a token's false logs.
 */
export async function matchKnown(
  { database }: { database: CommonQueryMethods },
  accountId: string,
  address: Address,
): Promise<KnownMatch> {
  const rows = await listKnownAddresses(database, accountId, address)
  const known = rows
    .filter(({ source, address: one }) => !isClaimed(source) || !isAddressEqual(one, address))
    .map((row): KnownAddress => ({
      address: row.address,
      source: row.source === 'paid' || isClaimed(row.source) ? 'counterparty' : row.source,
      contactName: row.contactName,
    }))
  const owned = known.some((one) => one.source === 'own_address' && isAddressEqual(one.address, address))
  return { owned, poisoning: matchPoisoning(address, known) }
}

const isClaimed = (source: KnownAddressRow['source']) => source === 'logged' || source === 'payer'
