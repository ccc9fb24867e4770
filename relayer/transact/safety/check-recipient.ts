import type { CommonQueryMethods } from 'slonik'
import { isAddressEqual, type Address, type PublicClient, getAddress, isAddress } from 'viem'
import type { LostRecipients } from '../../pool/recipients/lost-recipients.ts'
import type { Names } from '../ens/names.ts'
import { readAddressKind } from '../screening/address-kind.ts'
import { type PoisoningMatch, matchPoisoning } from '../screening/match-poisoning.ts'
import type { ServiceError } from '../../service-error.ts'
import {
  addressPoisoningMatch,
  contractRecipient,
  destinationInvalid,
  destinationNotFound,
} from './errors.ts'
import { listKnownAddresses, type KnownAddressRow } from '../../../db/transact/known-addresses.ts'
import type { Screening } from '../screening/create-screening.ts'

/** Parts for checking a recipient. */
export interface RecipientParts {
  database: CommonQueryMethods
  names: Names
  lostRecipients: LostRecipients
}

/** The warnings about a recipient that the user has accepted. */
export interface AcknowledgedWarnings {
  /** The match that the user has seen. */
  acknowledgedAddressPoisoningMatch?:
    | { recipientAddress: Address; matchedAddress: Address }
    | null
    | undefined
  /** The contract that the user knows to be the recipient. */
  acknowledgedContractRecipient?: Address | null | undefined
}

/** The client's recipient, and the warnings that its user has accepted. */
export interface RecipientRequest extends AcknowledgedWarnings {
  chainId: number
  /** The token of the payment: its own contract is no recipient. */
  token: Address
  /** An address or a name. */
  destinationAddress: string
}

/**
 * Resolves and checks the recipient of a request.
 *
 * @throws ServiceError `bad-request` CONTRACT_RECIPIENT with `resolvedAddress` and `conflict`
 * ADDRESS_POISONING_MATCH, unless the user has acknowledged them, and the errors of the checks that it consists of.
 */
export async function checkRecipient(
  parts: RecipientParts,
  client: PublicClient,
  accountId: string,
  request: RecipientRequest,
): Promise<Recipient> {
  const { address, name } = await resolveDestination(
    parts.names,
    request.destinationAddress,
    request.chainId,
    `account:${accountId}`,
  )
  const { owned, poisoning } = await matchKnown(parts, accountId, address)
  // Own addresses need no further check, and no query to a node about them.
  if (owned) return { address, name, owned, poisoning: null }
  const [kind] = await Promise.all([
    readAddressKind(client, address),
    parts.lostRecipients.refuse(address, request),
  ])
  if (poisoning && !isAcknowledged(request, address, poisoning)) throw refuseImitation(address, poisoning)
  const known = request.acknowledgedContractRecipient
  if (kind === 'contract' && !(known && isAddressEqual(known, address)))
    throw contractRecipient({ details: { resolvedAddress: address } })
  return { address, name, owned, isPlain: kind === 'eoa', poisoning }
}

/** True only for exactly this pair: a user who accepted another one has not seen it. */
function isAcknowledged(
  { acknowledgedAddressPoisoningMatch: match }: AcknowledgedWarnings,
  recipient: Address,
  { known }: PoisoningMatch<KnownAddress>,
): boolean {
  if (!match) return false
  const { recipientAddress, matchedAddress } = match
  return isAddressEqual(recipientAddress, recipient) && isAddressEqual(matchedAddress, known.address)
}

function refuseImitation(recipient: Address, match: PoisoningMatch<KnownAddress>): ServiceError {
  const { known, matchedPrefixCharsCount, matchedSuffixCharsCount } = match
  return addressPoisoningMatch({
    details: {
      resolvedAddress: recipient,
      matchedAddress: known.address,
      matchedPrefixCharsCount,
      matchedSuffixCharsCount,
      matchSource: known.source,
      ...(known.contactName !== null && { contactName: known.contactName }),
    },
  })
}

const FORM = /^0x[0-9a-fA-F]{40}$/

/**
 * Resolves a destination: an address to itself, a name to its address on the chain.
 * @throws ServiceError `bad-request` DESTINATION_INVALID or DESTINATION_NOT_FOUND; `bad-gateway` when the name service
 * does not answer.
 */
async function resolveDestination(
  names: Names,
  destination: string,
  chainId: number,
  asker: string,
): Promise<{ address: Address; name: { name: string; service: string } | null }> {
  if (FORM.test(destination)) {
    if (isAddress(destination)) return { address: getAddress(destination), name: null }
    throw destinationInvalid('The destination has a wrong checksum: a letter of it was changed')
  }
  if (!names.isName(destination)) throw destinationInvalid('The destination is neither an address nor a name')
  const resolved = await names.resolve(destination, chainId, asker)
  if (!resolved) throw destinationNotFound()
  return { address: resolved.address, name: { name: resolved.name, service: resolved.service } }
}

/** A checked recipient of a payment. */
export interface Recipient {
  address: Address
  /** The name that the client used; null for a plain address. */
  name: { name: string; service: string } | null
  /** True for one of the account's own addresses. */
  owned: boolean
  /** True if no code runs when it is paid; absent if that was not checked. */
  isPlain?: boolean
  /** The known address that it resembles, if the user accepted that. */
  poisoning: PoisoningMatch<KnownAddress> | null
}

/**
 * Screens a recipient on the chain. No node is queried about an own address: it is refused only if it is already known
 * to be listed, and screened when it pays.
 * @throws ServiceError as Screening.
 */
export async function screenRecipient(
  { screening }: { screening: Screening },
  chainId: number,
  { address, owned }: Recipient,
): Promise<void> {
  if (owned) screening.refuseKnown(chainId, [address])
  else await screening.requireClear(chainId, [address])
}

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
