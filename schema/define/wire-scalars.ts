import { checksumAddress, type Address, type Hex } from 'viem'
import { z } from 'zod'

const UINT256 = 2n ** 256n

/** Text of one form. What follows runs only on text that has it, and the client reads one complaint, not two. */
const matching = (form: RegExp, error: string) => z.string().regex(form, { error, abort: true })

/** An address on the wire; a mixed-case one must carry its EIP-55 checksum. Inside it is always checksummed. */
export const address = matching(/^0x[0-9a-fA-F]{40}$/, 'expected an address: 0x and 40 hex digits')
  .meta({ examples: ['0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'] })
  .transform((text, { addIssue }): Address => {
    const checksummed = checksumAddress(text as Address)
    if (text !== checksummed && text !== text.toLowerCase())
      addIssue('expected an address with a right EIP-55 checksum, or all lower case')
    return checksummed
  })

/** Bytes: 0x and an even number of hex digits. */
export const bytes = matching(
  /^0x(?:[0-9a-fA-F]{2})*$/,
  'expected bytes: 0x and an even number of hex digits',
)
  .meta({ examples: ['0x00'] })
  .transform((text) => text as Hex)

/** An amount in the smallest unit, a decimal string on the wire, a bigint inside. */
export const amount = matching(
  /^(?:0|[1-9][0-9]{0,77})$/,
  'expected an amount in the smallest unit, a string of at most 78 decimal digits',
)
  .refine((text) => BigInt(text) < UINT256, 'expected an amount below 2^256')
  .meta({ examples: ['1000000000000000000'] })
  .transform((text) => BigInt(text))

/** A number of the proof or the pool: decimal digits. Whether it is below the field's order is the verifier's to say. */
export const decimal = matching(/^[0-9]{1,78}$/, 'expected a string of at most 78 decimal digits').meta({
  examples: ['12345678901234567890'],
})

export const chainId = z
  .int()
  .positive()
  .meta({ description: 'EIP-155 chain id.', examples: [1] })

/** Milliseconds since the epoch. */
export const timestamp = z
  .int()
  .nonnegative()
  .meta({ description: 'Milliseconds since the epoch.', examples: [1_700_000_000_000] })
