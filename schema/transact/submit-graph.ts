import { followAccount } from '../define/access.ts'
import type { OperationContext, RunContext } from '../define/context.ts'
import { createEncoder } from '../define/encode.ts'
import type { GraphFeature } from '../graph/graph-feature.ts'
import { quoteProgress, signaturesBody, submitBody, type submitted } from './submit-model.ts'
import type { z } from 'zod'
import { describeIssues } from '../define/describe-issues.ts'
import type { InputOf } from '../define/operation.ts'
import { operationNamed, withAnswer } from '../graph/operation-named.ts'
import { accountPath } from '../define/account-operation.ts'
import { badRequest } from '../../relayer/errors.ts'
import { submitOperations } from './submit-operations.ts'

const encodeProgress = createEncoder(quoteProgress)

/** The subscription to a quote's relay. */
export const addSubmitGraph: GraphFeature = (builder, types) => {
  builder.subscriptionField('quoteStatus', (t) =>
    t.field({
      description:
        'The present status of a quote, then each change, until it is confirmed, failed or no longer locked, and what it sent to another chain has arrived or come back; then the stream ends.',
      type: types.output(quoteProgress, 'QuoteProgress').type as never,
      nullable: false,
      args: {
        quoteId: t.arg.id({
          required: true,
          description: '`quoteId` of one of the account’s quotes, not its `id`.',
        }),
      },
      subscribe: async (_, { quoteId }, context) => follow(quoteId, context) as AsyncIterable<never>,
      resolve: (status) => status,
    }),
  )
}

/** Quotes of other accounts are answered as unknown. */
async function* follow(given: string, context: OperationContext) {
  const { quotes } = context.services
  const statuses = await followAccount(null, context, (accountId) =>
    quotes.follow(accountId, given.toLowerCase(), context.signal),
  )
  for await (const status of statuses) yield encodeProgress(status)
}

const submit = operationNamed(submitOperations, 'submitQuote')
const input = { path: accountPath, body: signaturesBody }

/** `submitQuote` as GraphQL has it: the client gives signatures alone, and the rest is read from the stored quote. */
export const submitSignatures = {
  ...withAnswer(submit, {
    input,
    output: submit.output,
    async run({ path, body }: InputOf<typeof input>, context: RunContext) {
      const { quoteId, withdrawals } = body
      const signed = withdrawals
        ? { intents: [], delegations: [] }
        : await sign(path.accountId, body, context)
      const whole = { quoteId, ...signed, ...(withdrawals && { withdrawals }) }
      return (await submit.run({ path, body: whole }, { ...context, keepAnswer: undefined })) as z.output<
        typeof submitted
      >
    },
  }),
  description:
    'Takes the signature of each intent and delegation of a locked quote; what they sign is read from the quote. The same quote again is sent once.',
}

/** The stored intents and delegations with the given signatures; those without one are left out. */
async function sign(
  accountId: string,
  { quoteId, intents, delegations }: z.output<typeof signaturesBody>,
  { services }: RunContext,
): Promise<Pick<z.output<typeof submitBody>, 'intents' | 'delegations'>> {
  const { terms } = await services.quotes.read(accountId, quoteId)
  const stored = terms as { intents: { eoa: string }[]; delegations: { address: string }[] }
  const parsed = submitBody.safeParse({
    quoteId,
    intents: stored.intents.flatMap((intent) => {
      const given = intents.find(({ eoa }) => eoa === intent.eoa)
      return given ? [{ ...intent, signature: given.signature }] : []
    }),
    delegations: stored.delegations.flatMap((delegation) => {
      const given = delegations.find(({ address }) => address === delegation.address)
      return given ? [{ ...delegation, signature: given.signature }] : []
    }),
  })
  if (!parsed.success) throw badRequest(describeIssues(parsed.error.issues, 'body').join('; '))
  return parsed.data
}
