import { followAccount } from '../define/access.ts'
import type { OperationContext } from '../define/context.ts'
import { balanceEntry } from '../market/balance-entry.ts'
import { depositStanding } from '../account/balances/graph.ts'
import { loadSelected } from '../account/profile/graph.ts'
import { reviewChange } from '../account/deposit-review/graph.ts'
import { activityOf } from '../activity/activity-node.ts'
import { nodeNamesOf, type GraphBuilder } from '../graph/builder.ts'
import { accountOf, bindKey } from '../graph/global-ids.ts'
import type { GraphFeature, GraphTools } from '../graph/graph-feature.ts'
import type { TypeMapper } from '../graph/shape-to-type.ts'
import { operationComplexity } from '../graph/operation-complexity.ts'
import { loadNoteOf, poolNote } from '../pool/account/graph.ts'
import { quote } from '../transact/quote-model.ts'
import { loadQuote } from '../transact/quote-node.ts'
import { quoteProgress } from '../transact/submit-model.ts'
import { followEvents, type DeliveredEvent, type EventContents } from './follow-events.ts'

type Field = { field(options: object): unknown; id(options: object): unknown }
type EventOf<Name extends keyof EventContents> = Extract<DeliveredEvent, { typename: Name }>

/** `accountEvents`: all that changes of an account, in one stream that resumes. */
export const addAccountEvents: GraphFeature = (builder, types, { run, account }) => {
  const event = builder.interfaceRef<DeliveredEvent>('AccountEvent')
  event.implement({
    description: 'Something of the account that changed.',
    resolveType: ({ typename }) => typename,
    fields: (t) => ({
      cursor: t.exposeString('cursor', {
        nullable: false,
        description:
          'The place after this event: give it as `after` to resume. Also the event’s `id` in a stream.',
      }),
      account: t.field({
        type: account,
        nullable: true,
        complexity: () => operationComplexity(),
        description:
          'The account as it is now: what a screen selects here, a cache updates with each event, new things of lists too. Each event counts what it reads against the limits of the account’s queries.',
        resolve: async (_, _given, context, info) => {
          const accountId = await accountOf(context)
          return accountId === null ? null : loadSelected(run, accountId, context, info)
        },
      }),
    }),
  })

  const add: AddEvent = (name, description, fields) =>
    builder.objectRef<DeliveredEvent>(name).implement({
      description,
      interfaces: [event as never],
      fields: (t) => fields(t as never) as never,
    })
  addHoldingEvents(add, builder, types, run)
  addQuoteEvents(add, builder, types, run)
  addStreamEvents(add, builder)

  builder.subscriptionField('accountEvents', (t) =>
    t.field({
      description:
        'All that changes of the token’s account, each change once. The stream resumes after a cursor, or after the header Last-Event-ID.',
      type: event as never,
      nullable: false,
      args: {
        after: t.arg.string({ description: '`cursor` of the last event; none to begin.' }),
      },
      subscribe: async (_, { after }, context) => follow(after ?? null, context) as AsyncIterable<never>,
      resolve: (value) => value,
    }),
  )
}

type AddEvent = (
  name: keyof EventContents,
  description: string,
  fields: (t: Field) => Record<string, unknown>,
) => void

/** An `id` field of a node that an event is about. */
const idOf =
  (builder: GraphBuilder, typename: string, keyOf: (value: never) => string, description: string) =>
  (t: Field) =>
    t.id({
      nullable: false,
      description,
      resolve: async (value: never, _: object, context: OperationContext) =>
        nodeNamesOf(builder).encode(typename, await bindKey(context, typename, keyOf(value))),
    })

/** Events about what an account holds and did. */
function addHoldingEvents(
  add: AddEvent,
  builder: GraphBuilder,
  types: TypeMapper,
  run: GraphTools['run'],
): void {
  add('BalanceChanged', 'The account has another amount of a token.', (t) => ({
    balance: t.field({
      type: types.output(balanceEntry, 'Balance').type,
      nullable: false,
      description: 'The balance now.',
      resolve: ({ balance }: EventOf<'BalanceChanged'>) => balance,
    }),
  }))
  add('ActivityChanged', 'An activity is new, or another than before.', (t) => ({
    activity: t.field({
      type: activityOf(builder),
      nullable: false,
      description: 'The activity now.',
      resolve: ({ activity }: EventOf<'ActivityChanged'>) => activity,
    }),
  }))
  add('ActivityRemoved', 'A reorg of the chain removed a transaction.', (t) => ({
    activityId: idOf(
      builder,
      'Activity',
      ({ key }: EventOf<'ActivityRemoved'>) => key,
      '`id` of the activity, if it was no quote’s; a quote’s is pending again.',
    )(t),
  }))
  add('ReviewChanged', 'There is more or less to review, or something was seen.', (t) =>
    types.fields(t as never, reviewChange, 'ReviewChanged'),
  )
  add('DepositReviewed', 'A deposit into a pool has another standing.', (t) => ({
    deposit: t.field({
      type: types.output(depositStanding, 'PoolDepositReview').type,
      nullable: false,
      description: 'The deposit and its standing now.',
      resolve: ({ deposit }: EventOf<'DepositReviewed'>) => deposit,
    }),
    commitment: t.field({
      type: types.output(poolNote, 'Commitment').type,
      nullable: true,
      complexity: () => operationComplexity(),
      description: 'The note that is left of the deposit; null where nothing is.',
      async resolve({ deposit }: EventOf<'DepositReviewed'>, _: object, context: OperationContext) {
        const accountId = await accountOf(context)
        return accountId === null ? null : loadNoteOf(run, context, accountId, deposit)
      },
    }),
  }))
}

/** Events about an account's quotes. */
function addQuoteEvents(
  add: AddEvent,
  builder: GraphBuilder,
  types: TypeMapper,
  run: GraphTools['run'],
): void {
  const progressFields = (t: Field) => ({
    nodeId: idOf(
      builder,
      'Quote',
      ({ progress }: EventOf<'QuoteChanged'>) => progress.quoteId,
      '`id` of the quote.',
    )(t),
    progress: t.field({
      type: types.output(quoteProgress, 'QuoteProgress').type,
      nullable: false,
      description: 'How it stands.',
      resolve: ({ progress }: EventOf<'QuoteChanged'>) => progress,
    }),
  })

  add('QuoteChanged', 'A quote is new, or in another state.', (t) => ({
    ...progressFields(t),
    quote: t.field({
      type: types.output(quote, 'Quote').type,
      nullable: true,
      complexity: () => operationComplexity(),
      description: 'The quote; null for one that cannot be read again.',
      async resolve({ progress }: EventOf<'QuoteChanged'>, _: object, context: OperationContext) {
        const accountId = (await context.authenticate())?.accountId
        return accountId ? loadQuote(run, context, accountId, progress.quoteId) : null
      },
    }),
  }))
  add('RelayProgress', 'The relay of a submitted quote went on, or its crossing or cash-out.', progressFields)
}

/** Events about the stream itself. */
function addStreamEvents(add: AddEvent, builder: GraphBuilder): void {
  add('SessionExpiring', 'The token of this stream ends soon, and the stream with it.', (t) => ({
    expiresAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When it ends. Reconnect with another token and the last cursor.',
      resolve: ({ expiresAt }: EventOf<'SessionExpiring'>) => expiresAt,
    }),
  }))
  const reason = builder.enumType('ResyncReason', {
    description: 'Why a client must read everything again.',
    values: {
      start: { description: 'The stream began without a cursor.' },
      unknown_cursor: { description: 'The cursor is none of this account.' },
      expired: { description: 'Later events are no longer stored.' },
      server: { description: 'Another database server took over.' },
      many: { description: 'Too much changed at once.' },
    },
  })
  add('ResyncRequired', 'What the client has may be old: it must read it again, from now on.', (t) => ({
    reason: t.field({
      type: reason,
      nullable: false,
      description: 'Why.',
      resolve: (value: EventOf<'ResyncRequired'>) => value.reason,
    }),
  }))
}

async function* follow(after: string | null, context: OperationContext) {
  const expiresAt = (await context.authenticate())?.expiresAt ?? null
  // A browser repeats the request as it was, and names the last event in the header.
  const from = context.lastEventId ?? after
  yield* await followAccount(null, context, (accountId) =>
    followEvents(accountId, { after: from, expiresAt }, context),
  )
}
