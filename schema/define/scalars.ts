import { checksumAddress, type Address, type Hex } from 'viem'
import { z } from 'zod'
import { asScalar } from './graph-scalars.ts'
import { described } from './shape.ts'

const UINT256 = 2n ** 256n

/** Text of one format. Further checks run only if the format is right, so that the client gets one message instead of two. */
const matching = (form: RegExp, error: string) => z.string().regex(form, { error, abort: true })

/**
 * An address. In mixed case it must have its EIP-55 checksum; inside the service and in answers it is always
 * checksummed.
 */
export const address = z.codec(
  asScalar(
    'Address',
    matching(/^0x[0-9a-fA-F]{40}$/, 'expected an address: 0x and 40 hex digits').meta({
      examples: ['0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'],
    }),
  ),
  z.custom<Address>(),
  {
    decode(text, { issues }): Address {
      const checksummed = checksumAddress(text as Address)
      if (text !== checksummed && text !== text.toLowerCase())
        issues.push({
          code: 'custom',
          message: 'expected an address with a right EIP-55 checksum, or all lower case',
          input: text,
        })
      return checksummed
    },
    encode: (checksummed) => checksummed,
  },
)

/** Bytes: 0x and an even number of hex digits. */
export const bytes = z.codec(
  asScalar(
    'Hex',
    matching(/^0x(?:[0-9a-fA-F]{2})*$/, 'expected bytes: 0x and an even number of hex digits').meta({
      examples: ['0x00'],
    }),
  ),
  z.custom<Hex>(),
  { decode: (text) => text as Hex, encode: (hex) => hex },
)

/** An amount in the smallest unit: a decimal string on the wire, a bigint inside. */
export const amount = z.codec(
  asScalar(
    'BigInt',
    matching(
      /^(?:0|[1-9][0-9]{0,77})$/,
      'expected an amount in the smallest unit, a string of at most 78 decimal digits',
    )
      .refine((text) => BigInt(text) < UINT256, 'expected an amount below 2^256')
      .meta({ examples: ['1000000000000000000'] }),
  ),
  z.bigint(),
  { decode: BigInt, encode: String },
)

/** An integer of an answer that is text inside, in decimal digits. */
export const digitText = () => asScalar('BigInt', z.string())
/** A 32-byte hash of an answer, in hex. */
export const hash = asScalar('Hash', z.string())
/** Bytes in base64. */
export const base64Text = asScalar('Base64', z.string())
/** A decimal number that is text inside. */
export const decimalText = asScalar('Decimal', z.string())
/** An address of an answer whose contract declares no form. */
export const addressText = asScalar('Address', z.string())
/** Bytes of an answer that are text inside, in hex. */
export const hexDigits = asScalar('Hex', z.string())
/** US dollars, or another decimal number of an answer that GraphQL writes as text. */
export const dollars = asScalar('Decimal', z.number())

/**
 * An integer of an answer: a decimal string on the wire, a bigint inside. `example` is shown in the documentation.
 */
export const digitsLike = (example?: string) =>
  z.codec(example === undefined ? digitText() : digitText().meta({ examples: [example] }), z.bigint(), {
    decode(text, { issues }) {
      if (/^-?[0-9]+$/.test(text)) return BigInt(text)
      issues.push({ code: 'custom', message: 'expected decimal digits', input: text })
      return 0n
    },
    encode: String,
  })
export const digits = digitsLike()

/** A number of the proof or the pool in decimal digits. The verifier checks whether it is below the field's order. */
export const decimal = asScalar(
  'BigInt',
  matching(/^[0-9]{1,78}$/, 'expected a string of at most 78 decimal digits').meta({
    examples: ['12345678901234567890'],
  }),
)

/** A time: ISO 8601 in UTC on the wire, a Date inside. */
export const moment = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
})

/** A time within a cursor: milliseconds since the epoch, within the range of Date. */
export const instant = z.codec(z.int().nonnegative().max(8.64e15), z.date(), {
  decode: (milliseconds) => new Date(milliseconds),
  encode: (date) => date.getTime(),
})

/** A member that is null inside and absent on the wire. */
export function absentIfNull<Schema extends z.ZodType>(schema: Schema) {
  return z.codec(z.optional(schema), z.custom<z.output<Schema> | null>(), {
    decode: (value) => (value ?? null) as z.output<Schema> | null,
    encode: (value) => value ?? undefined,
  })
}

export const chainId = described(z.int().positive(), 'EIP-155 id of the chain: 1 is Ethereum.', {
  examples: [1],
})

/** A time in the relayer's answers: milliseconds since the epoch, on the wire and inside. */
export const timestamp = z
  .int()
  .nonnegative()
  .meta({ examples: [1_700_000_000_000] })

/** The joiner combines pictures to one; each picture may be followed by a skin colour or a variation. */
const EMOJI_JOINER =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})/gu

/**
 * Whether text has no control, format or unassigned characters (except the joiner within emoji), no line breaks, and
 * no blanks at its ends.
 */
export const isPlainLine = (text: string): boolean =>
  !/[\p{C}\p{Zl}\p{Zp}]/u.test(text.replaceAll(EMOJI_JOINER, '')) && text.trim() === text
