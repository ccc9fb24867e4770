import type { CommonQueryMethods } from 'slonik'
import { isAddressEqual, type Address } from 'viem'
import { listKnownAddresses, type KnownAddressRow } from '../../../db/transact/known-addresses.ts'
import { matchPoisoning, type PoisoningMatch } from '../screening/match-poisoning.ts'

/** An address that the account has dealt with, and where it is known from. */
export interface KnownAddress {
  address: Address
  source: 'counterparty' | 'own_address' | 'address_book'
  contactName: string | null
}

/** What is known of an address that is to be paid. */
export interface KnownMatch {
  /** It is one of the account's own. */
  owned: boolean
  poisoning: PoisoningMatch<KnownAddress> | null
}

/**
 * Whether an address is the account's own, and which known address it imitates: own ones, contacts, and those that
 * the account dealt with. One query. Contacts, and addresses that the account signed a payment to, imitate no other. An
 * address that is known from logs alone may: look-alikes get into a wallet's history by dust, or by a token that logs a
 * payment to them.
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
