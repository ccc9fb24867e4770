import { deriveNoteKey, readNotes, saveContact, writeNote } from 'stealth-relay/client'
import type { Client, WalletKeys } from 'stealth-relay/client'
import type { Address } from 'viem'

export async function remember(client: Client, { viewKey }: WalletKeys, friend: Address, quoteId: string) {
  // A contact is signed by the spending key. A note is encrypted by a key that never leaves.
  await saveContact(client, friend, 'Alice')
  const key = await deriveNoteKey(viewKey)
  await writeNote(client, key, quoteId, 'for the tickets')
  return (await readNotes(client, key)).get(quoteId)
}
