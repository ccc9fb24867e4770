import type { RecipientKind } from '../../relayer/transact/transact.ts'
import type { AnswerOf } from '../define/encode.ts'
import type { recipientKind } from './model.ts'

/** The kind of an address, and the known address that it imitates, if any. */
export function describeRecipient({ kind, poisoning }: RecipientKind): AnswerOf<typeof recipientKind> {
  return {
    kind,
    addressPoisoningMatch: poisoning && {
      matchedAddress: poisoning.known.address,
      matchedPrefixCharsCount: poisoning.matchedPrefixCharsCount,
      matchedSuffixCharsCount: poisoning.matchedSuffixCharsCount,
      source: poisoning.known.source,
      contactName: poisoning.known.contactName,
    },
  }
}
