import { z } from 'zod'
import { demandFollower } from '../../define/access.ts'
import type { OperationContext } from '../../define/context.ts'
import type { GraphFeature } from '../../graph/graph-feature.ts'
import { chainId, address, amount } from '../../define/scalars.ts'
import { createEncoder } from '../../define/encode.ts'
import { described, shape } from '../../define/shape.ts'
import { balanceSheet } from './model.ts'
import { addBalanceFields } from './balance-node.ts'
import { describeSheet } from './describe-balances.ts'

const balanceChange = shape('BalanceChange', 'A chain on which something moved.', {
  chainId,
  balance: described(balanceSheet, 'All that the account has on that chain now.'),
})

const encodeChange = createEncoder(balanceChange)

/** The subscriptions to an account's balances and to the reviews of its deposits. */
export const addHoldingsGraph: GraphFeature = (builder, types, ...rest) => {
  addBalanceFields(builder, types, ...rest)
  addDepositGraph(builder, types, ...rest)
  builder.subscriptionField('balanceChanged', (t) =>
    t.field({
      description:
        'The balance on a chain each time an amount changes there. Changes in quick succession are reported as one.',
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

const review = shape('PoolDepositReview', 'How a deposit into a pool stands now.', {
  chainId,
  poolAddress: described(address, 'Contract of the pool, EIP-55 checksummed.'),
  commitmentId: described(z.string(), 'Label of the deposit, in decimal digits.'),
  amount: described(amount, 'Deposited amount, in the smallest unit.'),
  standing: described(
    z.enum(['pending', 'approved', 'declined', 'recovered']),
    'pending, approved, declined: the decision of the association set provider. recovered: it was withdrawn by its depositor in the open.',
    { id: 'DepositStanding' },
  ),
})

const encodeReview = createEncoder(review)

/** The subscription to the reviews of an account's deposits. */
const addDepositGraph: GraphFeature = (builder, types) => {
  builder.subscriptionField('poolDepositReviewed', (t) =>
    t.field({
      description:
        'Each deposit of the account into a pool whose standing is another than before: new, approved, declined or recovered. A reorg may undo a decision; this is reported as well.',
      type: types.output(review, 'PoolDepositReview').type as never,
      nullable: false,
      args: { accountId: t.arg.id({ required: true, description: 'That of the token.' }) },
      subscribe: async (_, given, context) =>
        followReviews(await demandFollower(given.accountId, context), context) as AsyncIterable<never>,
      resolve: (one) => one,
    }),
  )
}

async function* followReviews(
  accountId: string,
  { services, signal }: OperationContext,
): AsyncGenerator<z.input<typeof review>> {
  for await (const { chainId: chain, pool, label, value, standing } of services.poolReviews.follow(
    accountId,
    signal,
  ))
    yield encodeReview({
      chainId: chain,
      poolAddress: pool,
      commitmentId: String(label),
      amount: value,
      standing,
    })
}
