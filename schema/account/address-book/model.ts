import type { Hex } from 'viem'
import { z } from 'zod'
import { accountPath } from '../../define/account-path.ts'
import { address } from '../../define/wire-scalars.ts'

export const contactPath = accountPath.extend({ address })

const MAX_NAME = 64

/** No control, format or unassigned characters (but the joiner within emoji), no line breaks, no blanks at the ends. */
const isPlainLine = (text: string) =>
  !/[\p{C}\p{Zl}\p{Zp}]/u.test(text.replaceAll(EMOJI_JOINER, '')) && text.trim() === text

/** Joins pictures to one, after each of which a skin colour or a variation may stand. */
const EMOJI_JOINER =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})/gu

const contactName = z
  .string()
  .min(1)
  .max(2 * MAX_NAME)
  // Counted as the database counts: characters, not UTF-16 units.
  .refine((text) => Array.from(text).length <= MAX_NAME, `expected at most ${MAX_NAME} characters`)
  .refine(isPlainLine, 'expected one line without control characters or blanks at its ends')
  .meta({ examples: ['Alice'] })

export const contactBody = z
  .object({
    name: contactName,
    issuedAt: z.iso
      .datetime('expected a time like 2026-01-31T12:00:00.000Z')
      .max(30)
      .meta({ description: 'When it was signed, ISO 8601 in UTC.' }),
    signature: z
      .string()
      .regex(/^0x[0-9a-fA-F]{130}$/, 'expected a signature: 0x and 130 hex digits')
      .transform((text) => text as Hex)
      .meta({ description: 'EIP-191, by the spending key.' }),
  })
  .meta({ id: 'NewContact', description: 'A contact, signed by the spending key.' })

const isoDate = z.iso.datetime()

export const contact = z
  .object({
    address,
    name: z.string(),
    lastUsedAt: isoDate.nullable(),
    createdAt: isoDate,
    updatedAt: isoDate,
  })
  .meta({ id: 'Contact', description: 'An entry of the address book.' })

export const contactList = z
  .object({ entries: z.array(contact) })
  .meta({ id: 'AddressBook', description: 'The contacts.' })
export const savedContact = z
  .object({ entry: contact })
  .meta({ id: 'SavedContact', description: 'The contact as it is kept.' })
export const deletedContact = z
  .object({ deleted: z.boolean() })
  .meta({ id: 'DeletedContact', description: 'Whether there was one.' })
export const ownership = z
  .object({ isOwnAddress: z.boolean() })
  .meta({ id: 'ContactOwnership', description: 'Whether the address is the account’s own.' })
