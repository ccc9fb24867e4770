// SPDX-License-Identifier: MIT
// How a client verifies a quote: with WebCrypto alone, in a browser or anywhere else. Copy it as it is.

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/** As GET /v1/.well-known/quote-signer-public-key answers. */
interface QuoteKey {
  /** The uncompressed point in hex, without 0x. */
  publicKey: string
  curve: string
  algorithm: string
}

/**
 * True if the service signed this quote. The signature covers the canonical JSON (RFC 8785) of the quote's REST form,
 * without `signature` and without members that are null.
 */
export async function verifyQuote(quote: { [name: string]: Json }, key: QuoteKey): Promise<boolean> {
  const { signature, ...signed } = quote
  return verifyPayload(canonicalize(signed), signature, key)
}

/** The same for GraphQL's answer: the text is `signedPayload`; read the quote from it and from nothing else. */
export async function verifyPayload(text: string, signature: unknown, key: QuoteKey): Promise<boolean> {
  if (key.curve !== 'P-256' || key.algorithm !== 'ECDSA') return false
  if (typeof signature !== 'string' || !/^0x[0-9a-f]{128}$/.test(signature)) return false
  const curve = { name: 'ECDSA', namedCurve: 'P-256' }
  const point = await crypto.subtle.importKey('raw', bytesOf(key.publicKey), curve, false, ['verify'])
  return crypto.subtle.verify(
    { name: 'ECDSA', hash: 'SHA-256' },
    point,
    bytesOf(signature.slice(2)),
    new TextEncoder().encode(text),
  )
}

/** RFC 8785 of a quote: members that are null are left out; nulls inside a list stay. */
export const canonicalize = (value: Json): string => writeCanonical(value, (member) => member !== null)

/** RFC 8785: members in the order of their names' UTF-16 units, and everything else as JSON.stringify writes it. */
export function writeCanonical(value: Json, isWritten: (member: Json) => boolean = () => true): string {
  if (Array.isArray(value)) return `[${value.map((item) => writeCanonical(item, isWritten)).join()}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .flatMap((name) => {
      const member = value[name]
      if (member === undefined || !isWritten(member)) return []
      return [`${JSON.stringify(name)}:${writeCanonical(member, isWritten)}`]
    })
  return `{${members.join()}}`
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  const pairs = hex.match(/../g) ?? []
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))
}
