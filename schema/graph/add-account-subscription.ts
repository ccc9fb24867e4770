import { followAccount } from '../define/access.ts'
import type { OperationContext } from '../define/context.ts'
import type { GraphBuilder } from './builder.ts'
import type { TypeParameter } from './shape-to-type.ts'

/** A subscription to one thing of an account. */
interface AccountSubscription {
  name: string
  description: string
  /** What replaces it. */
  deprecationReason: string
  type: TypeParameter
  /** Yields each value in wire form, until the context's signal is aborted. */
  follow(accountId: string, context: OperationContext): AsyncIterable<unknown>
}

/** Adds a subscription with the argument `accountId`, which only the account's own token may follow. */
export function addAccountSubscription(
  builder: GraphBuilder,
  { name, description, deprecationReason, type, follow }: AccountSubscription,
): void {
  builder.subscriptionField(name, (t) =>
    t.field({
      description,
      deprecationReason,
      type: type as never,
      nullable: false,
      args: { accountId: t.arg.id({ required: true, description: 'That of the token.' }) },
      subscribe: async (_, given, context) =>
        (await followAccount(given.accountId, context, (accountId) =>
          follow(accountId, context),
        )) as AsyncIterable<never>,
      resolve: (value) => value,
    }),
  )
}
