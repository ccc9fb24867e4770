import { z } from 'zod'
import { defineError } from '../../service-error.ts'

const UNTOUCHED = 'Nothing was sent and nothing was locked.'

const resolvedAddress = z.string().meta({
  description: 'The exact address of the recipient, to be acknowledged.',
})

/** The recipient imitates an address that the account knows. */
export const addressPoisoningMatch = defineError({
  code: 'ADDRESS_POISONING_MATCH',
  kind: 'conflict',
  meaning: 'The recipient looks like an address that the account knows; `matchedAddress` is that one.',
  retry: 'With `acknowledgedAddressPoisoningMatch`, once the user has compared the two.',
  fundsState: UNTOUCHED,
  message: 'The recipient looks like an address that you know, and is another',
  members: z.object({
    resolvedAddress,
    matchedAddress: z.string().meta({ description: 'A known address that the destination looks like.' }),
    matchedPrefixCharsCount: z.int().meta({ description: 'Equal characters at the beginning.' }),
    matchedSuffixCharsCount: z.int().meta({ description: 'Equal characters at the end.' }),
    matchSource: z.string().meta({ description: 'Source of that address.' }),
    contactName: z.string().optional().meta({ description: 'Its name in the address book.' }),
  }),
})

/** The recipient is a contract, and the user has not confirmed to know it. */
export const contractRecipient = defineError({
  code: 'CONTRACT_RECIPIENT',
  kind: 'bad-request',
  meaning: 'The recipient is a contract, which may not be able to pass on what it is sent.',
  retry: 'With `acknowledgedContractRecipient: resolvedAddress`, once the user agrees.',
  fundsState: UNTOUCHED,
  message: 'The recipient is a contract, which may not be able to pass on what it is sent',
  members: z.object({ resolvedAddress }),
})

/** The destination is no address and no name. */
export const destinationInvalid = defineError({
  code: 'DESTINATION_INVALID',
  kind: 'bad-request',
  meaning: 'The destination is neither an address nor a name, or its checksum is wrong.',
  retry: 'With a corrected destination.',
  fundsState: UNTOUCHED,
  example: 'The destination is neither an address nor a name',
})

/** The name has no address on the chain. */
export const destinationNotFound = defineError({
  code: 'DESTINATION_NOT_FOUND',
  kind: 'bad-request',
  meaning:
    'The name has no address on that chain. Its address for Ethereum counts there only if it is no contract.',
  retry: 'To another recipient.',
  fundsState: UNTOUCHED,
  message: 'That name has no address on this chain',
})
