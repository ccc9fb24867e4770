import { z } from 'zod'
import type { Quote } from '../../relayer/transact/transact.ts'
import { provenance } from '../account/provenance/model.ts'
import { provenanceLabelGroups } from '../account/provenance/source-model.ts'
import type { AnswerOf } from '../define/encode.ts'
import type { quote } from './quote-model.ts'
import type { KeepAnswer } from '../../relayer/keep-answer.ts'
import { repeatedQuoteEnded } from '../../relayer/transact/errors.ts'
import type { Operation } from '../define/operation.ts'

type Shown = Omit<AnswerOf<typeof quote>, 'signature'>

// Alone among the members these share their shapes with other answers, whose times are Dates until they are encoded.
const readProvenance = z.object({
  selectedFundingSources: z.array(z.object({ provenance: provenance.optional() })),
  provenanceLabelGroups,
})

/** The signed document, unchanged: with one member more or less, its signature would be invalid. */
export function showQuote({ terms, signature }: Quote): AnswerOf<typeof quote> {
  const document = terms as Shown
  const { provenanceLabelGroups: groups, selectedFundingSources: sources } = readProvenance.parse(terms)
  return {
    ...document,
    provenanceLabelGroups: groups,
    selectedFundingSources: document.selectedFundingSources.map((source, place) => ({
      ...source,
      provenance: sources[place]?.provenance,
    })),
    signature,
  }
}

/** Stores a quote in its shown form, in the transaction that locks its funds. */
export const keepShown = (
  keepAnswer: KeepAnswer<ReturnType<typeof showQuote>> | undefined,
): KeepAnswer<Quote> | undefined =>
  keepAnswer && ((transaction, quote) => keepAnswer(transaction, showQuote(quote)))

/**
 * Refuses to repeat a quote that was unlocked or replaced, because the signed document would not show it. An expired
 * quote shows its expiry itself, and a submitted one is repeated, so that the client finds it.
 */
export const checkRepeatedQuote: NonNullable<Operation['checkRepeated']> = async (
  answer,
  input,
  { services },
) => {
  const { quoteId } = answer as { quoteId: string }
  const { accountId } = input.path as { accountId: string }
  const { status } = (await services.quotes.relayStatus(accountId, quoteId)) ?? { status: 'unlocked' }
  if (status === 'unlocked' || status === 'replaced')
    throw repeatedQuoteEnded(
      `The quote of this Idempotency-Key is ${status}: ask for a new one with another key`,
    )
}
