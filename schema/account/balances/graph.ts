import type { z } from 'zod'
import { demandFollower } from '../../define/access.ts'
import type { OperationContext } from '../../define/context.ts'
import type { GraphFeature } from '../../graph/graph-feature.ts'
import { chainId } from '../../define/scalars.ts'
import { createEncoder } from '../../define/encode.ts'
import { described, shape } from '../../define/shape.ts'
import { balanceSheet } from './model.ts'
import { addDepositGraph } from './deposit-graph.ts'
import { describeSheet } from './describe-balances.ts'

const balanceChange = shape('BalanceChange', 'A chain on which something moved.', {
  chainId,
  balance: described(balanceSheet, 'All that the account has on that chain now.'),
})

const encodeChange = createEncoder(balanceChange)

/** The subscriptions to an account's balances and to the reviews of its deposits. */
export const addHoldingsGraph: GraphFeature = (builder, types, ...rest) => {
  addDepositGraph(builder, types, ...rest)
  builder.subscriptionField('balanceChanged', (t) =>
    t.field({
      description:
        'The balance on a chain each time an amount changes there. Changes that follow each other quickly are told as one.',
      type: types.output(balanceChange, 'BalanceChange').type as never,
      nullable: false,
      args: { accountId: t.arg.id({ required: true, description: 'That of the token.' }) },
      subscribe: async (_, given, context) =>
        followBalances(await demandFollower(given.accountId, context), context) as AsyncIterable<never>,
      resolve: (change) => change,
    }),
  )
}

async function* followBalances(
  accountId: string,
  { services, signal }: OperationContext,
): AsyncGenerator<z.input<typeof balanceChange>> {
  const changes = services.accountChanges.follow(accountId, signal)
  for await (const changed of services.balances.follow(accountId, changes))
    yield encodeChange({ chainId: changed.chainId, balance: describeSheet(changed.sheet) })
}
