import { z } from 'zod'
import type { GraphFeature, GraphNodes } from '../../graph/graph-feature.ts'
import { addChainEdge } from '../../chain/add-chain-edge.ts'
import { balanceEntry } from '../../market/balance-entry.ts'
import { token } from '../../market/tokens/model.ts'
import { connectionOf, pageComplexity, pageOfList, totalCount } from '../../graph/connections.ts'
import { operationComplexity } from '../../graph/operation-complexity.ts'
import { addNode, orNothing, type NodeRef } from '../../graph/add-node.ts'
import { operationNamed, withAnswer } from '../../graph/operation-named.ts'
import { heldSheet, heldBalance } from './model.ts'
import { holdingsOperations } from './operations.ts'

/** The balances of an account with their tokens. */
const readHeldSheet = withAnswer(operationNamed(holdingsOperations, 'accountBalance'), {
  output: heldSheet,
})
const readChainSheet = withAnswer(operationNamed(holdingsOperations, 'accountChainBalance'), {
  output: heldSheet,
})
const readHolding = withAnswer(operationNamed(holdingsOperations, 'accountTokenBalance'), {
  output: heldBalance,
})

type Holding = z.input<typeof heldBalance>
/** A balance of an answer; of a subscription without its token. */
type Balance = z.input<typeof balanceEntry> & { of?: Holding['of'] }

const keyOf = ({ chainId, token: address }: Balance) => `${chainId}:${address}`

/** `Balance` is a node of its account, by chain and token. */
export const addBalanceNodes: GraphNodes = (builder, types, { run }) => {
  addNode(builder, types, balanceEntry, {
    keyOf,
    // Objects without ids cannot be cached: their amounts are fields of the balance.
    without: ['visible', 'incognito'],
    async loadOwn(accountId, keys, context) {
      const path = { accountId }
      const known = new Map<string, Balance>()
      if (keys.length > 1)
        for (const one of ((await run(readHeldSheet, { path }, context)) as z.input<typeof heldSheet>)
          .balances)
          known.set(keyOf(one), one)
      return Promise.all(
        keys.map(async (key) => {
          const [chainId, address] = key.split(':')
          const input = { path: { ...path, chainId: Number(chainId), token: address } }
          return known.get(key) ?? orNothing(run(readHolding, input, context) as Promise<Holding>)
        }),
      )
    },
  })
}

/** The account's balances: all of them, or one. */
const addBalancesOfAccount: GraphFeature = (builder, types, { run, account }) => {
  const balance = types.output(balanceEntry, 'Balance').type as NodeRef
  const { feeWaiver, totalUsdAmount, pricing } = heldSheet.shape
  const connection = connectionOf(builder, balance, {
    name: 'Balance',
    of: 'the account’s balances',
    fields: (t: never) => ({
      ...totalCount(t),
      ...(types.fields(t, z.object({ feeWaiver, totalUsdAmount, pricing }), 'BalanceConnection') as object),
    }),
  })
  builder.objectFields(account, (t) => ({
    balances: t.field({
      type: connection as never,
      nullable: true,
      description: 'One balance per token and chain that any address of the account holds, or has in a pool.',
      args: {
        ...t.arg.connectionArgs(),
        chainId: t.arg({ type: 'SafeInt', description: 'Only those on the chain with this EIP-155 id.' }),
      },
      complexity: pageComplexity,
      resolve: async ({ accountId }, args, context) => {
        const { chainId } = args
        const answer = await (chainId
          ? run(readChainSheet, { path: { accountId, chainId } }, context)
          : run(readHeldSheet, { path: { accountId } }, context))
        const sheet = answer as z.input<typeof heldSheet>
        return { ...sheet, ...pageOfList(args, sheet.balances) } as never
      },
    }),
    balance: t.field({
      type: balance as never,
      nullable: true,
      description: 'What the account has of one token: zeros where it never received it.',
      args: {
        chainId: t.arg({ type: 'SafeInt', required: true, description: 'EIP-155 id of the chain.' }),
        token: t.arg({
          type: 'Address',
          required: true,
          description: 'Contract of the token; the zero address is the native coin.',
        }),
      },
      complexity: () => operationComplexity(),
      resolve: async ({ accountId }, { chainId, token: address }, context) =>
        (await run(readHolding, { path: { accountId, chainId, token: address } }, context)) as never,
    }),
  }))
}

/** The chain and the token of a balance, and its amounts as fields of its own. */
export const addBalanceFields: GraphFeature = (builder, types, tools) => {
  addBalancesOfAccount(builder, types, tools)
  const ref = types.output(balanceEntry, 'Balance').type
  addChainEdge(builder, types, ref)
  builder.objectFields(ref as never, (t) => {
    const amount = (description: string, of: (balance: Balance) => string) =>
      t.field({
        type: 'BigInt',
        nullable: false,
        description,
        resolve: (balance) => of(balance as unknown as Balance),
      })
    return {
      token: t.field({
        type: types.output(token, 'Token').type as never,
        nullable: true,
        description: 'The token; null where it is not known any more.',
        resolve: (value) => {
          const balance = value as unknown as Balance
          return (balance.of ?? keyOf(balance)) as never
        },
      }),
      available: amount('What can be spent now, in the smallest unit.', ({ visible }) => visible.available),
      pending: amount(
        'What quotes have reserved or is on its way out, in the smallest unit.',
        ({ visible }) => visible.pending,
      ),
      pooled: amount(
        'Approved deposits that can be withdrawn from pools now, in the smallest unit.',
        ({ incognito }) => incognito.pooled.available,
      ),
      pooledPendingApproval: amount(
        'Deposits that the association set provider has not decided on yet, in the smallest unit.',
        ({ incognito }) => incognito.pooled.pendingApproval,
      ),
      pooledPendingWithdrawal: amount(
        'Approved deposits that a pending withdrawal has locked, in the smallest unit.',
        ({ incognito }) => incognito.pooled.pendingWithdrawal,
      ),
      pooledDeclined: amount(
        'Refused deposits, which can be recovered, in the smallest unit.',
        ({ incognito }) => incognito.pooled.declined,
      ),
    }
  })
}
