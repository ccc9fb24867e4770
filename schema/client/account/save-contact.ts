// SPDX-License-Identifier: MIT
/**
 * How a client saves a contact: the spending key signs name and address, so that a stolen token cannot swap an address.
 */
import { getAddress, type Address } from 'viem'
import type { Client } from './open-client.ts'

export interface Contact {
  address: Address
  name: string
  lastUsedAt: string | null
}

/** Adds or renames a contact. The signature is good for ten minutes. */
export async function saveContact(client: Client, address: Address, name: string): Promise<Contact> {
  const issuedAt = new Date().toISOString()
  const message = [
    'Stealth Relay: save this contact in my address book.',
    '',
    `Account: ${client.accountId}`,
    `Address: ${getAddress(address)}`,
    `Name: ${name}`,
    `Issued At: ${issuedAt}`,
  ].join('\n')
  const path = `/v1/accounts/${client.accountId}/address-book/${address}`
  const signature = await client.signMessage(message)
  return (await client.ask<{ entry: Contact }>('PUT', path, { name, issuedAt, signature })).entry
}
