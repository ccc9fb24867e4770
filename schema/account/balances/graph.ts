import { z } from 'zod'
import type { DepositStanding } from '../../../relayer/account/balances/pool-reviews.ts'
import type { OperationContext } from '../../define/context.ts'
import { addAccountSubscription } from '../../graph/add-account-subscription.ts'
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
  addAccountSubscription(builder, {
    name: 'balanceChanged',
    description:
      'The balance on a chain each time an amount changes there. Changes in quick succession are reported as one.',
    deprecationReason: 'Use `accountEvents`: it resumes, and names the token.',
    type: types.output(balanceChange, 'BalanceChange').type,
    follow: followBalances,
  })
}

async function* followBalances(
  accountId: string,
  { services, signal }: OperationContext,
): AsyncGenerator<z.input<typeof balanceChange>> {
  const changes = services.accountChanges.follow(accountId, signal)
  for await (const changed of services.balances.follow(accountId, changes))
    yield encodeChange({ chainId: changed.chainId, balance: describeSheet(changed.sheet) })
}

/** A deposit of an account and its standing. */
export const depositStanding = shape('PoolDepositReview', 'How a deposit into a pool stands now.', {
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

const encodeStanding = createEncoder(depositStanding)

/** A deposit in wire form. */
export const describeStanding = ({ chainId: chain, pool, label, value, standing }: DepositStanding) =>
  encodeStanding({
    chainId: chain,
    poolAddress: pool,
    commitmentId: String(label),
    amount: value,
    standing,
  })

/** The subscription to the reviews of an account's deposits. */
const addDepositGraph: GraphFeature = (builder, types) => {
  addAccountSubscription(builder, {
    name: 'poolDepositReviewed',
    description:
      'Each deposit of the account into a pool whose standing is another than before: new, approved, declined or recovered. A reorg may undo a decision; this is reported as well.',
    deprecationReason: 'Use `accountEvents`: it resumes.',
    type: types.output(depositStanding, 'PoolDepositReview').type,
    follow: followReviews,
  })
}

async function* followReviews(
  accountId: string,
  { services, signal }: OperationContext,
): AsyncGenerator<z.input<typeof depositStanding>> {
  for await (const row of services.poolReviews.follow(accountId, signal)) yield describeStanding(row)
}
