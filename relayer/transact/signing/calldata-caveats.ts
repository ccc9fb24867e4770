import { concat, keccak256, numberToHex, size, stringToHex, type Hex } from 'viem'

/** Version of the rules in PROTOCOL.md by which a wallet checks caveats. */
const POLICY_VERSION = 1

/** Rules for reading the appended bytes of each kind. */
const VERIFIERS = { erc8021: 'erc8021/schema-0', 'across-integrator': 'across/1dc0de' } as const

/** A kind of bytes behind a call's arguments. */
export type SuffixKind = keyof typeof VERIFIERS

/** Bytes behind a call's arguments that no contract reads. */
export interface CalldataSuffix {
  kind: SuffixKind
  bytes: Hex
}

/** A call with a suffix, as `signingReview` reports it to a wallet. */
export interface CalldataCaveat {
  /** Position of the call in the intent. */
  callIndex: number
  kind: SuffixKind
  policyVersion: typeof POLICY_VERSION
  verifier: (typeof VERIFIERS)[SuffixKind]
  /** Length of the suffix in bytes. */
  suffixLength: number
  /** keccak256 of the data without the suffix. */
  canonicalCalldataHash: Hex
  /** keccak256 of the suffix. */
  suffixHash: Hex
}

const SELECTOR_BYTES = 4
const ERC8021_MARKER: Hex = `0x${'8021'.repeat(8)}`
const ACROSS_MARKER: Hex = '0x1dc0de'

/**
 * Encodes the suffix that attributes a call to these codes (ERC-8021, schema 0). It has the codes, comma separated,
 * their length in one byte, the schema, and the marker. Codes are ASCII without commas.
 * @throws RangeError for no codes, for other characters, and for more than 255 bytes together.
 */
export function encodeAttribution(codes: readonly string[]): CalldataSuffix {
  if (codes.length === 0 || codes.some((code) => !/^[\x21-\x2b\x2d-\x7e]+$/.test(code)))
    throw new RangeError('attribution codes are visible ASCII characters without commas')
  const text = stringToHex(codes.join())
  if (size(text) > 255) throw new RangeError('attribution codes have 255 bytes at most')
  const length = numberToHex(size(text), { size: 1 })
  return { kind: 'erc8021', bytes: concat([text, length, '0x00', ERC8021_MARKER]) }
}

/**
 * Encodes the suffix that identifies an integrator of Across (docs.across.to/introduction/api-keys).
 * @param id Two bytes.
 */
export function encodeIntegrator(id: Hex): CalldataSuffix {
  if (size(id) !== 2) throw new RangeError('an integrator id of Across has two bytes')
  return { kind: 'across-integrator', bytes: concat([ACROSS_MARKER, id]) }
}

/** True if a call can carry a suffix: behind a bare selector it would look like arguments. */
export const canCarrySuffix = (data: Hex): boolean => size(data) > SELECTOR_BYTES

/**
 * Appends a suffix to a call's data, and describes it for the wallet.
 * @param callIndex Position of the call in its intent.
 * @throws RangeError for a call without arguments.
 */
export function appendSuffix(
  data: Hex,
  { kind, bytes }: CalldataSuffix,
  callIndex: number,
): { data: Hex; caveat: CalldataCaveat } {
  if (!canCarrySuffix(data)) throw new RangeError('a call without arguments carries no suffix')
  return {
    data: concat([data, bytes]),
    caveat: {
      callIndex,
      kind,
      policyVersion: POLICY_VERSION,
      verifier: VERIFIERS[kind],
      suffixLength: size(bytes),
      canonicalCalldataHash: keccak256(data),
      suffixHash: keccak256(bytes),
    },
  }
}
