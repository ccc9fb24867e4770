import {
  accountGone,
  addressBookFull,
  contactSignatureExpired,
  contactSignatureInvalid,
  contactSignatureOutdated,
} from '../../../relayer/account/address-book/errors.ts'
import { accountMutation, accountQuery } from '../../define/account-operation.ts'
import { contactMessage } from '../../../relayer/account/address-book/contact-message.ts'
import {
  contactBody,
  contactList,
  contactPath,
  deletedContact,
  contactOwnership,
  savedContact,
} from './model.ts'

const section = 'Address book'

const EXAMPLE = contactMessage({
  accountId: '6f1c4f0e-0d0b-4e9c-9a5e-8c1f6a7f2b11',
  address: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
  name: 'Alice',
  issuedAt: '2026-01-31T12:00:00.000Z',
})

export const addressBookOperations = [
  accountQuery({
    name: 'addressBook',
    instead: 'Account.contacts',
    rest: 'GET /v1/accounts/{accountId}/address-book',
    limit: 60,
    section,
    summary: 'The contacts',
    description: 'The most recently paid first, then those never paid, from the newest.',
    output: contactList,
    run: async ({ path }, { services }) => ({
      entries: await services.addressBook.list(path.accountId),
    }),
  }),
  accountQuery({
    name: 'addressBookOwnership',
    field: 'addressBookOwnership',
    rest: 'GET /v1/accounts/{accountId}/address-book/ownership/{address}',
    limit: 60,
    section,
    summary: 'Whether an address is the account’s own',
    description: 'Lets a wallet warn before the address is saved as another person’s.',
    input: { path: contactPath },
    output: contactOwnership,
    run: async ({ path }, { services }) => ({
      isOwnAddress: await services.addressBook.isOwn(path.accountId, path.address),
    }),
  }),
  accountMutation({
    name: 'saveContact',
    rest: 'PUT /v1/accounts/{accountId}/address-book/{address}',
    limit: 60,
    errors: [
      accountGone,
      contactSignatureInvalid,
      contactSignatureExpired,
      contactSignatureOutdated,
      addressBookFull,
    ],
    section,
    summary: 'Save a contact',
    description: `Adds or renames it. Payments go to contacts, so a token alone does not do: the spending key signs this text (EIP-191), its lines parted by one line feed, the address in EIP-55 form, accountId in lower case, name and issuedAt as they are sent:

\`\`\`
${EXAMPLE}
\`\`\`

It is good for ten minutes, and once: what was signed before the contact was last written or deleted is refused. The same request again is no error. Codes of 400 besides BAD_REQUEST: CONTACT_SIGNATURE_INVALID, CONTACT_SIGNATURE_EXPIRED, CONTACT_SIGNATURE_OUTDATED, ADDRESS_BOOK_FULL.`,
    input: { path: contactPath, body: contactBody },
    output: savedContact,
    run: async ({ path, body }, { services }) => ({
      entry: await services.addressBook.save(path.accountId, { address: path.address, ...body }),
    }),
  }),
  accountMutation({
    name: 'deleteContact',
    rest: 'DELETE /v1/accounts/{accountId}/address-book/{address}',
    limit: 60,
    section,
    summary: 'Delete a contact',
    description: '`deleted` is false when there was none. Nothing of it is stored.',
    input: { path: contactPath },
    output: deletedContact,
    run: async ({ path }, { services }) => ({
      deleted: await services.addressBook.remove(path.accountId, path.address),
    }),
  }),
]
