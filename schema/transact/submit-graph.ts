import { demandFollower } from '../define/access.ts'
import type { OperationContext } from '../define/context.ts'
import { createEncoder } from '../define/encode.ts'
import type { GraphFeature } from '../graph/graph-feature.ts'
import { quoteProgress } from './submit-model.ts'

const encodeProgress = createEncoder(quoteProgress)

/** The subscription to a quote's relay. */
export const addSubmitGraph: GraphFeature = (builder, types) => {
  builder.subscriptionField('quoteStatus', (t) =>
    t.field({
      description:
        'The present status of a quote, then each change, until it is confirmed, failed or no longer locked, and what it sent to another chain has arrived or come back; then the stream ends.',
      type: types.output(quoteProgress, 'QuoteProgress').type as never,
      nullable: false,
      args: { quoteId: t.arg.id({ required: true, description: 'One of the account’s quotes.' }) },
      subscribe: async (_, { quoteId }, context) => follow(quoteId, context) as AsyncIterable<never>,
      resolve: (status) => status,
    }),
  )
}

async function* follow(given: string, context: OperationContext) {
  const accountId = await ownAccount(context)
  const { quotes } = context.services
  for await (const status of quotes.follow(accountId, given.toLowerCase(), context.signal))
    yield encodeProgress(status)
}

/** The subscriber's own account. Quotes of other accounts are answered as unknown. */
async function ownAccount(context: OperationContext): Promise<string> {
  const principal = await context.authenticate()
  return demandFollower(principal?.accountId ?? '', context)
}
