import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type Hex, hexToBytes } from 'viem'
import { z } from 'zod'
import type { KeyMaterial } from './identity.ts'
import { badRequest } from '../errors.ts'
import type { DerivationKeys } from '../../proving/derivation/derive-addresses.ts'
import { openHpke, type HpkeKeyPair } from './hpke.ts'
import type { ServerKeys } from './server-keys.ts'

const POINT = /^0x04[0-9a-f]{128}$/i
const SCALAR = /^0x[0-9a-f]{64}$/i

const isPoint = (text: string) => {
  try {
    secp256k1.Point.fromHex(text.slice(2)).assertValidity()
    return true
  } catch {
    return false
  }
}

const isScalar = (text: string) => {
  const value = BigInt(text)
  return value > 0n && value < secp256k1.Point.Fn.ORDER
}

const point = z
  .string('is missing or no text')
  .regex(POINT, { error: 'is no uncompressed point: 0x04 and 128 hex digits', abort: true })
  .refine(isPoint, 'is not on the curve')
  .transform((text) => text.toLowerCase() as Hex)

const scalar = z
  .string('is missing or no text')
  .regex(SCALAR, { error: 'is no private key: 0x and 64 hex digits', abort: true })
  .refine(isScalar, 'is not between 1 and the order of the curve')
  .transform((text) => text.toLowerCase() as Hex)

const keyMaterial = z.object({ P_spend: point, P_view: point, child_p_view: scalar })

/**
 * Reads the decrypted key material: UTF-8 JSON of P_spend, P_view and child_p_view.
 *
 * @throws ServiceError `bad-request` that names the invalid member without its content.
 */
export function readKeyMaterial(plaintext: Uint8Array): KeyMaterial {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plaintext))
  } catch {
    throw badRequest('the decrypted key material is not JSON in UTF-8')
  }
  const parsed = keyMaterial.safeParse(json)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const member = issue?.path.join('.')
    throw badRequest(
      member ? `${member} in the key material ${issue?.message}` : 'the key material is no object',
    )
  }
  const { P_spend, P_view, child_p_view } = parsed.data
  return { spendPublicKey: P_spend, viewPublicKey: P_view, childViewKey: child_p_view }
}

/** Lengths of childViewKey, spendPublicKey and viewPublicKey, in this order. */
const LENGTHS = [32, 65, 65] as const
const TOTAL = LENGTHS[0] + LENGTHS[1] + LENGTHS[2]

/** Encodes an account's key material for sealing: 162 bytes. */
export function encodeStoredKeys(keys: KeyMaterial): Buffer {
  const bytes = Buffer.concat([
    hexToBytes(keys.childViewKey),
    hexToBytes(keys.spendPublicKey),
    hexToBytes(keys.viewPublicKey),
  ])
  if (bytes.length !== TOTAL) throw new RangeError('key material of another length')
  return bytes
}

/** Returns the keys from which addresses are derived. They are views of `bytes`: wiping `bytes` wipes them. */
export function readStoredKeys(bytes: Uint8Array): DerivationKeys {
  if (bytes.length !== TOTAL) throw new RangeError('stored keys of another length')
  return { childViewKey: bytes.subarray(0, 32), spendPublicKey: bytes.subarray(32, 97) }
}

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
