import type { DatabasePool } from 'slonik'
import { type Address, hashMessage, isAddressEqual, recoverAddress, type Hex } from 'viem'
import {
  findContact,
  listContacts,
  lockAddressBook,
  removeContact,
  writeContact,
  type ContactRow,
  readSigner,
} from '../../../db/account/address-book/contacts.ts'
import type { AddressOwnership } from '../addresses/addresses.ts'
import type { AddressBook, Contact } from './address-book.ts'
import { contactMessage } from './contact-message.ts'
import {
  accountGone,
  addressBookFull,
  contactSignatureOutdated,
  contactSignatureExpired,
  contactSignatureInvalid,
} from './errors.ts'

/** Far above a person's need; bounds the list, which has no pages. */
const MAX_CONTACTS = 1_000

/** Creates the address book over PostgreSQL. Changes of one account's book are serialized by a row lock. */
export function createAddressBook(database: DatabasePool, addresses: AddressOwnership): AddressBook {
  return {
    async list(accountId) {
      return (await listContacts(database, accountId)).map(toContact)
    },

    isOwn: (accountId, address) => addresses.owns(accountId, address),

    async save(accountId, { address, name, issuedAt, signature }) {
      const signer = await readSigner(database, accountId)
      if (signer === null) throw accountGone()
      const message = contactMessage({ accountId, address, name, issuedAt })
      const signedAt = await checkSignature({ message, signature, issuedAt, signer: signer as Address })
      const row = await database.transaction(async (connection) => {
        const { signedFloor, contacts } = await lockAddressBook(connection, accountId)
        const known = await findContact(connection, accountId, address)
        // A repeated signature: the client missed its answer.
        if (known && known.signedAt.getTime() === signedAt.getTime() && known.name === name) return known
        if (isNotAfter(signedAt, known?.signedAt) || isNotAfter(signedAt, signedFloor))
          throw contactSignatureOutdated()
        if (!known && contacts >= MAX_CONTACTS) {
          throw addressBookFull(`An address book holds at most ${MAX_CONTACTS} contacts`)
        }
        return writeContact(connection, accountId, { address, name, signedAt })
      })
      return toContact(row)
    },

    remove: (accountId, address) =>
      database.transaction(async (connection) => {
        // Lock in the same order as `save`, to rule out a deadlock.
        await lockAddressBook(connection, accountId)
        return removeContact(connection, accountId, address)
      }),
  }
}

function isNotAfter(time: Date, other: Date | null | undefined): boolean {
  return other !== null && other !== undefined && time.getTime() <= other.getTime()
}

function toContact({ address, signedAt: _signedAt, ...contact }: ContactRow): Contact {
  return { ...contact, address: address as Address }
}

const VALID_MS = 10 * 60_000
/** Milliseconds that a client's clock may be ahead. */
const AHEAD_MS = 60_000

/**
 * Checks that a message was signed by an address, less than ten minutes ago.
 *
 * @returns when it was signed.
 * @throws ServiceError `bad-request`.
 */
async function checkSignature(signed: {
  message: string
  signature: Hex
  issuedAt: string
  signer: Address
}): Promise<Date> {
  const issuedAt = new Date(signed.issuedAt)
  const age = Date.now() - issuedAt.getTime()
  // Written as a negated comparison so that an invalid date (NaN) is refused.
  if (!(age <= VALID_MS && age >= -AHEAD_MS)) throw contactSignatureExpired()
  if (!(await isSignedBy(signed))) throw contactSignatureInvalid()
  return issuedAt
}

async function isSignedBy(signed: { message: string; signature: Hex; signer: Address }): Promise<boolean> {
  // Only 65 bytes are read. A second, malleable form of a signature would be harmless here.
  if (signed.signature.length !== 132) return false
  try {
    const hash = hashMessage(signed.message)
    return isAddressEqual(await recoverAddress({ hash, signature: signed.signature }), signed.signer)
  } catch {
    return false
  }
}
