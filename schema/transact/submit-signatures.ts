import type { z } from 'zod'
import type { RunContext } from '../define/context.ts'
import { describeIssues } from '../define/describe-issues.ts'
import type { InputOf } from '../define/operation.ts'
import { operationNamed } from '../graph/operation-named.ts'
import { accountPath } from '../define/account-operation.ts'
import { badRequest } from '../../relayer/errors.ts'
import { signaturesBody, submitBody, type submitted } from './submit-model.ts'
import { submitOperations } from './submit-operations.ts'
import { withAnswer } from '../graph/operation-named.ts'

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
