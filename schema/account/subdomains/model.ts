import { z } from 'zod'
import { address, bytes } from '../../define/wire-scalars.ts'

/** Longer text is no name in any form. */
const name = z.string().min(1).max(255)
const inviteCode = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .meta({ description: 'Opens names that are kept for its holder.' })

export const checkQuery = z.object({ name: name.meta({ examples: ['alice'] }), inviteCode })

export const nameCheck = z
  .object({
    available: z.boolean(),
    reason: z
      .enum(['taken', 'blocked'])
      .meta({ id: 'NameHindrance', description: 'taken: an account has it. blocked: reserved or offensive.' })
      .optional()
      .meta({ description: 'Blocked names are reserved or offensive.' }),
  })
  .meta({ id: 'NameCheck', description: 'Whether a name is to be had.' })

export const claimBody = z
  .object({ subdomain: name, inviteCode })
  .meta({ id: 'NameClaim', description: 'The name to claim.' })

export const claimed = z
  .object({
    success: z.boolean(),
    message: z.string(),
    subdomain: z.string().meta({ description: 'As it is kept: normalised by ENSIP-15.' }),
  })
  .meta({ id: 'ClaimedName', description: 'The name that the account now has.' })

export const suggested = z
  .object({ subdomain: z.string() })
  .meta({ id: 'SuggestedName', description: 'A name that is free now.' })

/** Some 2,000 bytes: a name of 255 and one record of it have less than 800. */
const LOOKUP_LENGTH = 4_100

export const lookupPath = z.object({
  sender: address.meta({ description: 'The resolver contract.' }),
  // ERC-3668 calls it data in URL templates. Its name is free here, and one generator cannot have a parameter `data`.
  callData: z
    .string()
    .max(LOOKUP_LENGTH)
    .transform((text) => text.replace(/\.json$/, ''))
    .pipe(bytes)
    .meta({ description: 'The call of resolve(bytes,bytes); may be followed by `.json`.' }),
})

export const lookupBody = z
  .object({ sender: address, data: z.string().max(LOOKUP_LENGTH).pipe(bytes) })
  .meta({ id: 'NameLookup', description: 'The question of a resolver contract (ERC-3668).' })

export const lookupAnswer = z
  .object({ data: bytes.meta({ description: 'abi.encode(bytes result, uint64 expires, bytes signature).' }) })
  .meta({ id: 'NameLookupAnswer', description: 'The answer, signed for the resolver contract.' })
