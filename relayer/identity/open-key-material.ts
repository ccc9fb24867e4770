import { openHpke, type HpkeKeyPair } from './hpke.ts'
import type { KeyMaterial } from './identity.ts'
import { readKeyMaterial } from './read-key-material.ts'
import type { ServerKeys } from './server-keys.ts'
import { badRequest } from '../errors.ts'

const ENCAPSULATED_BYTES = 32
const TAG_BYTES = 16
/** The JSON of the key material has about 370 bytes; clients may add members. */
const MAX_CIPHERTEXT_BYTES = 8_192

/**
 * Decrypts and checks the key material that a client encrypted to one of the server's HPKE keys.
 *
 * @throws ServiceError `bad-request` that names the fault without the content.
 */
export async function openKeyMaterial(
  keys: ServerKeys<HpkeKeyPair>,
  sealed: { encapsulatedKey: string; ciphertext: string },
): Promise<KeyMaterial> {
  const encapsulatedKey = readBase64('encapsulatedKey', sealed.encapsulatedKey)
  const ciphertext = readBase64('ciphertext', sealed.ciphertext)
  if (encapsulatedKey.length !== ENCAPSULATED_BYTES)
    throw badRequest(`encapsulatedKey: expected ${ENCAPSULATED_BYTES} bytes`)
  if (ciphertext.length <= TAG_BYTES || ciphertext.length > MAX_CIPHERTEXT_BYTES)
    throw badRequest(`ciphertext: expected more than ${TAG_BYTES} and at most ${MAX_CIPHERTEXT_BYTES} bytes`)

  const tried = new Set<HpkeKeyPair>()
  async function open(): Promise<Uint8Array | null> {
    for (const pair of await keys.all()) {
      if (tried.has(pair)) continue
      tried.add(pair)
      const plaintext = await openHpke(pair.privateKey, { encapsulatedKey, ciphertext })
      if (plaintext) return plaintext
    }
    return null
  }

  let plaintext = await open()
  if (!plaintext) {
    // Another instance may have published a newer key than those loaded here.
    await keys.refresh()
    plaintext = await open()
  }
  if (!plaintext) throw badRequest('ciphertext: does not decrypt with a key of this server')
  return readKeyMaterial(plaintext)
}

/** Reads strict base64: the standard alphabet, padded, without leftover bits. */
function readBase64(member: string, text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  if (text === '' || bytes.toString('base64') !== text) throw badRequest(`${member}: expected padded base64`)
  return bytes
}
