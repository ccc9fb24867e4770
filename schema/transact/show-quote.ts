import { z } from 'zod'
import type { Quote } from '../../relayer/transact/transact.ts'
import { provenance } from '../account/provenance/model.ts'
import { provenanceLabelGroups } from '../account/provenance/source-model.ts'
import type { AnswerOf } from '../define/encode.ts'
import type { quote } from './quote-model.ts'

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
