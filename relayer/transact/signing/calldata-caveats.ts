import { concat, keccak256, numberToHex, size, stringToHex, type Hex } from 'viem'

/** The rules of PROTOCOL.md by which a wallet checks caveats; changes when they do. */
const POLICY_VERSION = 1

/** By what rule the appended bytes of each kind are read. */
const VERIFIERS = { erc8021: 'erc8021/schema-0', 'across-integrator': 'across/1dc0de' } as const

/** A kind of bytes that may stand behind a call's arguments. */
export type SuffixKind = keyof typeof VERIFIERS

/** Bytes that nobody reads on chain. */
export interface CalldataSuffix {
  kind: SuffixKind
  bytes: Hex
}

/** A call whose last bytes are read by nobody on chain, as `signingReview` tells a wallet. */
export interface CalldataCaveat {
  /** Place of the call in the intent. */
  callIndex: number
  kind: SuffixKind
  policyVersion: typeof POLICY_VERSION
  verifier: (typeof VERIFIERS)[SuffixKind]
  /** Bytes. */
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
 * The suffix that attributes a call to these codes (ERC-8021, schema 0): the codes, comma separated, their length in one
 * byte, the schema, the marker. Codes are ASCII without commas.
 * @throws RangeError for no codes, for other characters, and where all of them have more than 255 bytes.
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
 * The suffix by which Across knows an integrator (docs.across.to/introduction/api-keys).
 * @param id Two bytes.
 */
export function encodeIntegrator(id: Hex): CalldataSuffix {
  if (size(id) !== 2) throw new RangeError('an integrator id of Across has two bytes')
  return { kind: 'across-integrator', bytes: concat([ACROSS_MARKER, id]) }
}

/** Whether a call can carry a suffix: one without arguments would seem to have some. */
export const canCarrySuffix = (data: Hex): boolean => size(data) > SELECTOR_BYTES

/**
 * A call's data with the suffix behind it, and what a wallet is told of that.
 * @param callIndex Place of the call in its intent.
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
