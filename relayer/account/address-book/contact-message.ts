import type { Address } from 'viem'

/**
 * The text that a client signs (EIP-191) with its spending key to save a contact:
 *
 *     Stealth Relay: save this contact in my address book.
 *
 *     Account: 6f1c4f0e-0d0b-4e9c-9a5e-8c1f6a7f2b11 Address: 0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A Name: Alice
 * Issued At: 2026-01-31T12:00:00.000Z
 *
 * A single line feed separates lines; none follows the last. A name holds no control characters, so it cannot forge
 * another line.
 *
 * @param contact.address In EIP-55 form.
 * @param contact.issuedAt Exactly as sent.
 */
export function contactMessage(contact: {
  accountId: string
  address: Address
  name: string
  issuedAt: string
}): string {
  return [
    'Stealth Relay: save this contact in my address book.',
    '',
    `Account: ${contact.accountId}`,
    `Address: ${contact.address}`,
    `Name: ${contact.name}`,
    `Issued At: ${contact.issuedAt}`,
  ].join('\n')
}
