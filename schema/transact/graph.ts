import { canonicalizeQuote } from '../../relayer/transact/signing/canonical-quote.ts'
import type { GraphFeature } from '../graph/graph-feature.ts'
import { quote } from './quote-model.ts'

/** The text that a quote's signature covers. A selection of its members could not be verified. */
export const addTransactGraph: GraphFeature = (builder, types) => {
  builder.objectField(types.output(quote, 'Quote').type as never, 'signedPayload', (t) =>
    t.string({
      nullable: false,
      description: 'The canonical JSON that `signature` covers: read the quote from it.',
      resolve: (shown) => canonicalizeQuote(shown as object),
    }),
  )
}
