/**
 * How a client saves a contact: the spending key signs name and address, so that a stolen token cannot swap an address.
 *
 *     node_modules/.bin/node test/e2e/examples/save-contact.ts http://127.0.0.1:4000
 */
import { getAddress, type Address } from 'viem'
import { openNewClient, type Client } from './client.ts'

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

if (import.meta.main) {
  const client = await openNewClient({ url: process.argv[2] ?? 'http://127.0.0.1:4000' })
  await saveContact(client, '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A', 'Alice')
  const path = `/v1/accounts/${client.accountId}/address-book`
  for (const { name, address } of (await client.ask<{ entries: Contact[] }>('GET', path)).entries)
    console.log(`${name}: ${address}`)
}
