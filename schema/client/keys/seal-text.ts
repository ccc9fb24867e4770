// SPDX-License-Identifier: MIT
/** A text encrypted by a password; binary members are base64. */
export interface SealedText {
  kdf: 'PBKDF2-SHA-256'
  iterations: number
  salt: string
  cipher: 'AES-256-GCM'
  iv: string
  sealed: string
}

/** As OWASP recommends. */
const ITERATIONS = 600_000

/** Encrypts a text by a password. */
export async function sealText(text: string, password: Uint8Array<ArrayBuffer>): Promise<SealedText> {
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const key = await deriveKey(password, salt, ITERATIONS)
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(text))
  return {
    kdf: 'PBKDF2-SHA-256',
    iterations: ITERATIONS,
    salt: toText(salt),
    cipher: 'AES-256-GCM',
    iv: toText(iv),
    sealed: toText(new Uint8Array(sealed)),
  }
}

/** Decrypts it. @throws Error for another password, or a changed text. */
export async function unsealText(given: SealedText, password: Uint8Array<ArrayBuffer>): Promise<string> {
  const key = await deriveKey(password, fromText(given.salt), given.iterations)
  const terms = { name: 'AES-GCM', iv: fromText(given.iv) }
  return new TextDecoder().decode(await crypto.subtle.decrypt(terms, key, fromText(given.sealed)))
}

async function deriveKey(
  password: Uint8Array<ArrayBuffer>,
  salt: Uint8Array<ArrayBuffer>,
  iterations: number,
) {
  const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveKey'])
  const terms = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations }
  return crypto.subtle.deriveKey(terms, key, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

const toText = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))
const fromText = (text: string) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0))
