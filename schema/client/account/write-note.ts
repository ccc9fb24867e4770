// SPDX-License-Identifier: MIT
/** How a client stores a note on a payment that only it can read: encrypted here, by a key that never leaves. */
import { fromBase64, toBase64 } from '../keys/base64.ts'
import { hexToBytes, type Hex } from 'viem'
import type { Client } from './open-client.ts'

const IV_BYTES = 12
const text = { encoder: new TextEncoder(), decoder: new TextDecoder() }

/** The key of all notes, made from the viewing key, so that another device of the user has it too. */
export async function deriveNoteKey(viewKey: Hex): Promise<CryptoKey> {
  const secret = await crypto.subtle.importKey('raw', hexToBytes(viewKey).slice(), 'HKDF', false, [
    'deriveKey',
  ])
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: text.encoder.encode('activity notes') },
    secret,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}

/** Sets the note on a quote's payment; empty text clears it. The quote's id is bound in: notes cannot be swapped. */
export async function writeNote(
  client: Client,
  key: CryptoKey,
  quoteId: string,
  note: string,
): Promise<void> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const terms = { name: 'AES-GCM', iv, additionalData: text.encoder.encode(quoteId) }
  const sealed = new Uint8Array(await crypto.subtle.encrypt(terms, key, text.encoder.encode(note)))
  await client.ask('PUT', `/v1/accounts/${client.accountId}/activity-notes`, {
    reference: { type: 'quote', quoteId },
    notePayloadCiphertext: note && toBase64(new Uint8Array([...iv, ...sealed])),
  })
}

/** The newest notes, by the id of their quote. @throws Error for one that is not of this key, or was altered. */
export async function readNotes(client: Client, key: CryptoKey): Promise<Map<string, string>> {
  const { notes } = await client.ask<{ notes: StoredNote[] }>(
    'GET',
    `/v1/accounts/${client.accountId}/activity-notes`,
  )
  const readable = new Map<string, string>()
  for (const { reference, notePayloadCiphertext } of notes) {
    if (!notePayloadCiphertext) continue
    const bytes = fromBase64(notePayloadCiphertext)
    const additionalData = text.encoder.encode(reference.quoteId)
    const terms = { name: 'AES-GCM', iv: bytes.subarray(0, IV_BYTES), additionalData }
    const note = await crypto.subtle.decrypt(terms, key, bytes.subarray(IV_BYTES))
    readable.set(reference.quoteId, text.decoder.decode(note))
  }
  return readable
}

interface StoredNote {
  reference: { type: string; quoteId: string }
  notePayloadCiphertext: string | null
}
