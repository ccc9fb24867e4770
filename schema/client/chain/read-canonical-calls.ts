// SPDX-License-Identifier: MIT
// How a wallet reads the caveats of a signing review (PROTOCOL.md, section 6). They are bytes behind a call's
// arguments, which the chain ignores. Copy it as it is.
import { hexToBytes, keccak256, size, slice, type Address, type Hex } from 'viem'

export interface Call {
  to: Address
  value: bigint
  data: Hex
}

export interface CalldataCaveat {
  callIndex: number
  kind: string
  policyVersion: number
  verifier: string
  suffixLength: number
  canonicalCalldataHash: Hex
  suffixHash: Hex
}

/** The service's own marks: GET /v1/.well-known/attribution. */
export interface Attribution {
  codes: string[]
  integratorIds: Hex[]
}

const SELECTOR_BYTES = 4
const CODE = /^[\x21-\x2b\x2d-\x7e]+$/
const ERC8021_MARKER = '8021'.repeat(8)

/** By kind: the verifier that reads it, and whether it accepts the bytes. */
const KINDS: Readonly<Record<string, [string, (suffix: Hex, published: Attribution) => boolean]>> = {
  erc8021: ['erc8021/schema-0', isPublishedCodes],
  'across-integrator': [
    'across/1dc0de',
    (suffix, { integratorIds }) => integratorIds.some((id) => suffix === `0x1dc0de${id.slice(2)}`),
  ],
}

/**
 * The calls of an intent without the bytes that their caveats describe. Decode each and encode it again: a call that comes
 * out different has undeclared bytes.
 * @throws Error for a caveat that does not match its call, or whose bytes the service does not publish.
 */
export function readCanonicalCalls(
  calls: readonly Call[],
  caveats: readonly CalldataCaveat[],
  published: Attribution,
): Call[] {
  if (caveats.some(({ callIndex }, place) => callIndex <= (caveats[place - 1]?.callIndex ?? -1)))
    throw new Error('the caveats are not in the order of their calls, or one call has two')
  const byCall = new Map(caveats.map((caveat) => [caveat.callIndex, caveat]))
  const canonical = calls.map((call, place) => {
    const caveat = byCall.get(place)
    byCall.delete(place)
    return caveat ? { ...call, data: withoutSuffix(call.data, caveat, published) } : call
  })
  if (byCall.size > 0) throw new Error('a caveat names no call of the intent')
  return canonical
}

function withoutSuffix(data: Hex, caveat: CalldataCaveat, published: Attribution): Hex {
  const { kind, policyVersion, verifier, suffixLength } = caveat
  const [known, accepts] = (Object.hasOwn(KINDS, kind) && KINDS[kind]) || []
  if (!accepts || verifier !== known || policyVersion !== 1)
    throw new Error(`a caveat of the unknown kind ${kind}`)
  if (!Number.isInteger(suffixLength) || suffixLength < 1 || suffixLength >= size(data) - SELECTOR_BYTES)
    throw new Error('a caveat covers more bytes than the arguments of its call')
  const end = size(data) - suffixLength
  const [canonical, suffix] = [slice(data, 0, end), slice(data, end)]
  if (keccak256(canonical) !== caveat.canonicalCalldataHash || keccak256(suffix) !== caveat.suffixHash)
    throw new Error('a caveat has other hashes than the bytes of its call')
  if (!accepts(suffix, published)) throw new Error('a call carries bytes that the service does not publish')
  return canonical
}

/** codes, comma separated ‖ their length (1 byte) ‖ 00 ‖ 8021 × 8. */
function isPublishedCodes(suffix: Hex, { codes }: Attribution): boolean {
  const length = size(suffix) - 18
  if (length < 1 || length > 255) return false
  const end = `${length.toString(16).padStart(2, '0')}00${ERC8021_MARKER}`
  if (slice(suffix, length) !== `0x${end}`) return false
  const text = String.fromCharCode(...hexToBytes(slice(suffix, 0, length)))
  return text.split(',').every((code) => CODE.test(code) && codes.includes(code))
}
