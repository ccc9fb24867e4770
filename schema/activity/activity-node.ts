import type { z } from 'zod'
import { ACTIVITY_KINDS, type ActivityKind } from '../../relayer/transact/kinds/quote-kind.ts'
import { supportedChain } from '../chain/operations.ts'
import { nodeOptions, withTypename, type OwnedNode } from '../graph/add-node.ts'
import { nodeNamesOf, type GraphBuilder } from '../graph/builder.ts'
import type { GraphNodes, GraphTools } from '../graph/graph-feature.ts'
import type { OperationContext } from '../define/context.ts'
import { accountOf } from '../graph/global-ids.ts'
import type { TypeMapper } from '../graph/shape-to-type.ts'
import { operationComplexity } from '../graph/operation-complexity.ts'
import { token } from '../market/tokens/model.ts'
import { quote } from '../transact/quote-model.ts'
import { loadQuote } from '../transact/quote-node.ts'
import type { activityFacts, pendingFacts } from './facts-model.ts'
import { findFacts, listPendingFacts } from './facts-operations.ts'
import { activityItem } from './model.ts'

/** An activity of an answer. */
export type ActivityValue = z.input<typeof activityFacts>

const INTERFACE = 'Activity'

/** The type of a kind: `SendActivity` of SEND. */
export const typeOfKind = (kind: string): string =>
  `${kind
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('')}${INTERFACE}`

/** Members that only some kinds have. */
const OF_KINDS: Readonly<Record<string, readonly ActivityKind[]>> = {
  swap: ['SWAP', 'CROSS_CHAIN_SWAP'],
  pool: ['POOL_DEPOSIT', 'POOL_RECOVER'],
  calldata: ['DAPP_CALL'],
}
/** Members that are fields of the activity itself, or edges. */
const REPLACED = ['lifecycle', 'chainName']

/**
 * Identifies an activity, while it is pending and afterwards: by its quote, if it is the first transaction of one, else
 * by its transaction.
 */
function keyOf({ quoteId, chainId, txHash, txHashes, lifecycle }: ActivityValue): string {
  const isOfQuote =
    quoteId !== undefined &&
    (lifecycle.relayStatus !== undefined || txHash === null || txHash === (txHashes[0] ?? txHash))
  return isOfQuote ? quoteId : `${chainId}:${txHash}`
}

const made = new WeakMap<GraphBuilder, ReturnType<typeof make>>()
const make = (builder: GraphBuilder) => builder.interfaceRef<ActivityValue>(INTERFACE)

/** The interface of a schema. */
export function activityOf(builder: GraphBuilder) {
  const activity = made.get(builder) ?? make(builder)
  made.set(builder, activity)
  return activity
}

/** `Activity` is an interface of nodes, with a type for each kind. */
export const addActivityNodes: GraphNodes = (builder, types, { run }) => {
  const activity = activityOf(builder)
  const terms: OwnedNode<ActivityValue> = {
    keyOf,
    loadOwn: (accountId, keys, context) => loadActivities(run, accountId, keys, context),
  }
  activity.implement({
    description: 'A past or pending activity. Each kind has a type; the id stays the same to the end.',
    interfaces: [builder.nodeInterfaceRef()],
    resolveType: ({ kind }) => typeOfKind(kind),
    fields: (t) => {
      const own = types.fields(t as never, activityItem, INTERFACE, {
        without: [...REPLACED, ...Object.keys(OF_KINDS)],
      })
      return {
        ...(own as object),
        ...mainFields(t, types, run),
      }
    },
  })
  for (const kind of ACTIVITY_KINDS) {
    const name = typeOfKind(kind)
    builder.loadableNode(name, {
      description: `An activity of the kind ${kind}.`,
      interfaces: [activity],
      isTypeOf: (value: unknown) => (value as ActivityValue).kind === kind,
      brandLoadedObjects: false,
      ...nodeOptions(INTERFACE, terms),
      fields: (t: never) =>
        types.fields(t, activityItem, INTERFACE, {
          only: Object.keys(OF_KINDS).filter((member) => OF_KINDS[member]?.includes(kind)),
        }),
    } as never)
    nodeNamesOf(builder).add(name, INTERFACE)
  }
}

type MainField = readonly [type: unknown, description: string, resolve: (value: ActivityValue) => unknown]

/** Fields of an activity that its shape does not have. All but the state may be null. */
function mainFields(
  t: { field(options: object): unknown },
  types: TypeMapper,
  run: GraphTools['run'],
): Record<string, never> {
  const { state } = activityItem.shape.lifecycle.shape
  const fields: Readonly<Record<string, MainField>> = {
    state: [
      types.output(state, 'LifecycleState').type,
      'How far it is. in_flight: submitted. indexed: found in the chain’s blocks. failed: it did not work, or not all of it.',
      ({ lifecycle }) => lifecycle.state,
    ],
    failureReason: ['String', 'Why it failed; null unless it did.', ({ lifecycle }) => lifecycle.reason],
    blockNumber: [
      'BigInt',
      'Block of its last transaction; null until it is indexed, and where the list does not tell.',
      ({ lifecycle }) => lifecycle.blockNumber,
    ],
    chain: [
      types.output(supportedChain, 'Chain').type,
      'The chain; null for one that is served no more.',
      ({ chainId }) => String(chainId),
    ],
    ...mainTransferFields(types),
  }
  const made = Object.entries(fields).map(([name, [type, description, resolve]]) => [
    name,
    t.field({ type, description, nullable: name !== 'state', resolve }) as never,
  ])
  return { ...(Object.fromEntries(made) as Record<string, never>), quote: quoteField(t, types, run) }
}

const mainTransferFields = (types: TypeMapper): Readonly<Record<string, MainField>> => ({
  token: [
    types.output(token, 'Token').type,
    'Token of the main transfer; null for a collectible, and when nothing moved.',
    ({ main }) => main?.of,
  ],
  amount: [
    'BigInt',
    'Amount of the main transfer, in the smallest unit; null when nothing moved.',
    ({ main }) => main?.value,
  ],
  usdAmount: [
    'Decimal',
    'Value of `amount` in US dollars at the present price; null without a price.',
    ({ main }) => main?.usdAmount,
  ],
  from: [
    'Address',
    'Address that sent the main transfer; null when nothing moved.',
    ({ main }) => main?.fromAddress,
  ],
  to: [
    'Address',
    'Address that received the main transfer, the zero address for an unknown one; null when nothing moved.',
    ({ main }) => main?.toAddress,
  ],
})

const quoteField = (t: { field(options: object): unknown }, types: TypeMapper, run: GraphTools['run']) =>
  t.field({
    type: types.output(quote, 'Quote').type as never,
    nullable: true,
    complexity: () => operationComplexity(),
    description: 'The quote that the account submitted for it; null when there was none.',
    resolve: async ({ quoteId }: ActivityValue, _: object, context: OperationContext) => {
      const accountId = await accountOf(context)
      if (quoteId === undefined || accountId === null) return null
      return loadQuote(run, context, accountId, quoteId)
    },
  }) as never

async function loadActivities(
  run: GraphTools['run'],
  accountId: string,
  keys: readonly string[],
  context: OperationContext,
): Promise<(ActivityValue | null)[]> {
  return Promise.all(keys.map((key) => loadActivity(key)))

  async function loadActivity(key: string): Promise<ActivityValue | null> {
    const [chainId, txHash] = key.split(':')
    const isTransaction = txHash !== undefined
    const path = { accountId, ...(isTransaction ? { chainId: Number(chainId), txHash } : { quoteId: key }) }
    const found = (await run(findFacts, { path }, context)) as z.input<typeof pendingFacts>
    const [item] = found.pending
    if (item) return named(item)
    if (isTransaction) return null
    const all = (await run(listPendingFacts, { path: { accountId } }, context)) as z.input<
      typeof pendingFacts
    >
    const pending = all.pending.find(({ quoteId }) => quoteId === key)
    return pending ? named(pending) : null
  }
}

const named = (value: ActivityValue) => withTypename(value, typeOfKind(value.kind))
