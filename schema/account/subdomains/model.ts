import { z } from 'zod'
import { address, bytes } from '../../define/scalars.ts'
import { described, parameters, shape } from '../../define/shape.ts'

/** Longer text is never a valid name. */
const name = z.string().min(1).max(255)
const inviteCode = described(
  z.string().min(1).max(100).optional(),
  'Invite code; opens names that are reserved for its holder.',
)

export const checkQuery = parameters({
  name: described(name, 'The name below the parent name, as the user typed it.', { examples: ['alice'] }),
  inviteCode,
})

const hindrance = described(
  z.enum(['taken', 'blocked']),
  'taken: an account has it. blocked: reserved or offensive.',
  { id: 'NameHindrance' },
)

export const nameCheck = shape('NameCheck', 'Whether a name can be claimed.', {
  available: described(z.boolean(), 'True when the name can be claimed now.'),
  reason: described(hindrance.optional(), 'Why the name cannot be claimed; absent when it can.'),
})

export const claimBody = shape('NameClaim', 'The name to claim.', {
  subdomain: described(name, 'The name below the parent name, as the user typed it.'),
  inviteCode,
})

export const claimed = shape('ClaimedName', 'The name that the account now has.', {
  success: described(z.boolean(), 'Always true: a failure is answered as an error.'),
  message: described(z.string(), 'Text for a person: `The name is yours`.'),
  subdomain: described(z.string(), 'The stored name: normalised by ENSIP-15.'),
})

export const suggested = shape('SuggestedName', 'A name that is free now.', {
  subdomain: described(z.string(), 'The name below the parent name; nothing keeps it free.'),
})

/** About 2,000 bytes: a name of 255 bytes with one record has less than 800. */
const LOOKUP_LENGTH = 4_100

export const lookupPath = parameters({
  sender: described(address, 'The resolver contract that asks.'),
  // ERC-3668 calls this `data` in URL templates. Its name is free here, and one code generator cannot handle a
  // parameter named `data`.
  callData: described(
    z
      .string()
      .max(LOOKUP_LENGTH)
      .transform((text) => text.replace(/\.json$/, ''))
      .pipe(bytes),
    'The call of resolve(bytes,bytes); may be followed by `.json`.',
  ),
})

export const lookupBody = shape('NameLookup', 'The question of a resolver contract (ERC-3668).', {
  sender: described(address, 'The resolver contract that asks.'),
  data: described(z.string().max(LOOKUP_LENGTH).pipe(bytes), 'The call of resolve(bytes,bytes) to answer.'),
})

export const lookupAnswer = shape('NameLookupAnswer', 'The answer, signed for the resolver contract.', {
  data: described(bytes, 'abi.encode(bytes result, uint64 expires, bytes signature).'),
})
