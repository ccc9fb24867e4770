import canonicalize from 'canonicalize'
import { keccak256, toHex, type Hex } from 'viem'
import type { JsonObject } from './parse-strict-json.ts'

/** A descriptor as it is stored and served. */
export interface CanonicalDocument {
  /** Canonical JSON (RFC 8785). */
  text: string
  /** keccak256 of its UTF-8: the descriptorHash of ERC-8176 (draft), includes resolved. */
  hash: Hex
}

/** Serializes a descriptor so that every client computes the same hash of it. */
export function canonicalDocument(descriptor: JsonObject): CanonicalDocument {
  const text = canonicalize(descriptor)
  if (text === undefined) throw new Error('a descriptor cannot be written')
  return { text, hash: keccak256(toHex(text)) }
}
