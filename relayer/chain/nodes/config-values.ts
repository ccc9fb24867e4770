import { getAddress, isAddress, isHex, type Hex } from 'viem'
import { z } from 'zod'

/** An address in any case, returned with its checksum. */
export const addressSetting = z
  .string()
  .refine(
    (text) => isAddress(text),
    'is not an address: write 0x and 40 hex digits, checksummed or all lower case',
  )
  .transform((text) => getAddress(text))
  .meta({ title: 'address' })
/** 32 bytes in hex. */
export const privateKey = z
  .string()
  .transform((text) => (text.startsWith('0x') ? text : `0x${text}`))
  .refine((text) => isHex(text) && text.length === 66, 'is not a private key: write 64 hex digits')
  .transform((text) => text as Hex)
  .meta({ title: 'private key' })

const inlineImage = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/
const MAX_PICTURE = 2_048

/** True if a URL contains the whole image. SVG is excluded: it may run scripts. */
export const isInlineImage = (url: string): boolean => inlineImage.test(url)

/** A picture that the operator names: an https address, or a small image within the URL. */
export const pictureSetting = z
  .string()
  .max(MAX_PICTURE)
  .refine(
    (text) => isInlineImage(text) || URL.parse(text)?.protocol === 'https:',
    'is neither an https address nor a small data: URL of a PNG, JPEG, GIF or WebP in base64',
  )
  .meta({ title: 'URL of a picture, at most 2048 characters' })

/** A whole, unsigned number of the smallest unit: decimal text, or a number where that is exact. */
export const wei = z
  .union([
    z.string().regex(/^\d{1,78}$/, 'is not a whole number of wei in decimal digits'),
    z.int().nonnegative(),
  ])
  .transform((amount) => BigInt(amount))
  .meta({ title: 'amount' })
