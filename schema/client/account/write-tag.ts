// SPDX-License-Identifier: MIT
/** How a client stores a label on an address that only it can read, and says which labels are equal. */
import { fromBase64, toBase64 } from '../keys/base64.ts'
import { hexToBytes, type Address, type Hex } from 'viem'
import type { Client } from './open-client.ts'

const IV_BYTES = 12
const text = { encoder: new TextEncoder(), decoder: new TextDecoder() }

/** The keys of all tags, which never leave. */
export interface TagKeys {
  /** Encrypts labels. */
  seal: CryptoKey
  /** Makes `labelKey` of them. */
  compare: CryptoKey
}

/** Makes the keys from the viewing key, so that another device of the user has them too. */
export async function deriveTagKeys(viewKey: Hex): Promise<TagKeys> {
  const secret = await crypto.subtle.importKey('raw', hexToBytes(viewKey).slice(), 'HKDF', false, [
    'deriveKey',
  ])
  const derive = (info: string, type: AesKeyGenParams | HmacKeyGenParams, usages: KeyUsage[]) =>
    crypto.subtle.deriveKey(
      { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: text.encoder.encode(info) },
      secret,
      type,
      false,
      usages,
    )
  return {
    seal: await derive('address tags', { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt']),
    compare: await derive('labels of address tags', { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign']),
  }
}

/** Tags an address; empty text clears it. The address is bound in: tags cannot be swapped. */
export async function writeTag(
  client: Client,
  keys: TagKeys,
  address: Address,
  label: string,
): Promise<void> {
  const path = `/v1/accounts/${client.accountId}/provenance-address-tags/${address}`
  if (label === '') {
    await client.ask('PUT', path, { tagPayloadCiphertext: null })
    return
  }
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const terms = { name: 'AES-GCM', iv, additionalData: text.encoder.encode(address.toLowerCase()) }
  const sealed = new Uint8Array(await crypto.subtle.encrypt(terms, keys.seal, text.encoder.encode(label)))
  const labelKey = new Uint8Array(
    await crypto.subtle.sign('HMAC', keys.compare, text.encoder.encode(label.normalize())),
  )
  await client.ask('PUT', path, {
    tagPayloadCiphertext: toBase64(new Uint8Array([...iv, ...sealed])),
    labelKey: toBase64(labelKey),
  })
}

/** The label of a tagged source, as `provenanceLabelGroups` has it. @throws Error for one that is not of these keys, or was altered. */
export async function readTag(
  keys: TagKeys,
  { address, tagPayloadCiphertext }: { address: string; tagPayloadCiphertext: string | null },
): Promise<string | null> {
  if (tagPayloadCiphertext === null) return null
  const bytes = fromBase64(tagPayloadCiphertext)
  const terms = {
    name: 'AES-GCM',
    iv: bytes.subarray(0, IV_BYTES),
    additionalData: text.encoder.encode(address.toLowerCase()),
  }
  return text.decoder.decode(await crypto.subtle.decrypt(terms, keys.seal, bytes.subarray(IV_BYTES)))
}
