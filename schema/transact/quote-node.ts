import type { z } from 'zod'
import { canonicalizeQuote } from '../../relayer/transact/signing/sign-quote.ts'
import { badRequest } from '../../relayer/errors.ts'
import type { OperationContext, RunContext } from '../define/context.ts'
import type { InputOf } from '../define/operation.ts'
import { pascalCase } from '../define/pascal-case.ts'
import { nodeOptions, orNothing, withTypename, type OwnedNode } from '../graph/add-node.ts'
import { addChangedId } from '../graph/add-changed-id.ts'
import { nodeNamesOf } from '../graph/builder.ts'
import { openKeys } from '../graph/global-ids.ts'
import type { Payload } from '../graph/payloads.ts'
import type { GraphFeature, GraphNodes, GraphTools } from '../graph/graph-feature.ts'
import { operationComplexity } from '../graph/operation-complexity.ts'
import { operationNamed, withAnswer } from '../graph/operation-named.ts'
import { ANSWERS_OF_KINDS, MARKS_OF_KINDS, type AnsweredKind } from './kinds/quote-shapes.ts'
import { spendAnswer } from './kinds/spend/spend-shapes.ts'
import { quotePath } from './model.ts'
import { quote } from './quote-model.ts'
import { showQuote } from './show-quote.ts'
import { relayStatus } from './submit-model.ts'
import { submitOperations } from './submit-operations.ts'

/** A quote of an answer. */
type QuoteValue = z.input<typeof quote>

const INTERFACE = 'Quote'

/** Members of the types, by kind; spends from pools have one type. */
const MEMBERS = { ...ANSWERS_OF_KINDS, spend: spendAnswer } as const
type Kind = AnsweredKind | 'spend'

const typeOfKind = (kind: string) => `${pascalCase(kind)}${INTERFACE}`

/** The kind of a signed document, which does not name it. */
function kindOfShown(shown: object): Kind {
  const members = shown as Readonly<Record<string, unknown>>
  const found = Object.entries(MARKS_OF_KINDS).find(([, mark]) => (members[mark] ?? null) !== null)
  return (found?.[0] as Kind | undefined) ?? 'send'
}

/** A quote again, by the limits of the question how it stands. */
const readQuote = withAnswer(operationNamed(submitOperations, 'relayStatus'), {
  input: { path: quotePath },
  output: quote,
  run: async ({ path }: InputOf<{ path: typeof quotePath }>, { services }: RunContext) =>
    showQuote(await services.quotes.read(path.accountId, path.quoteId)),
})

/** A quote of an account; null for one that cannot be read again. */
export async function loadQuote(
  run: GraphTools['run'],
  context: OperationContext,
  accountId: string,
  quoteId: string,
): Promise<QuoteValue | null> {
  const read = run(readQuote, { path: { accountId, quoteId } }, context) as Promise<QuoteValue>
  const found = await orNothing(read)
  return found && withTypename(found, typeOfKind(kindOfShown(found)))
}

/** `Quote` is an interface of nodes, with a type for each kind; its owner may read it again. */
export const addQuoteNodes: GraphNodes = (builder, types, { run }) => {
  const shown = builder.interfaceRef<QuoteValue>(INTERFACE)
  const ofKinds = new Set(Object.values(MEMBERS).flatMap((members) => Object.keys(members)))
  const terms: OwnedNode<QuoteValue> = {
    keyOf: ({ quoteId }) => quoteId,
    loadOwn: (accountId, keys, context) =>
      Promise.all(keys.map((quoteId) => loadQuote(run, context, accountId, quoteId))),
  }
  shown.implement({
    description:
      'The data to sign, its effects and its cost. Each kind has a type. Its owner may read it again until it ends; read again, it is signed without the origins of its money. A spend from a pool is shown once.',
    interfaces: [builder.nodeInterfaceRef()],
    resolveType: (value) => typeOfKind(kindOfShown(value)),
    fields: (t) => ({
      ...(types.fields(t as never, quote, INTERFACE, { without: [...ofKinds] }) as object),
      signedPayload: t.string({
        nullable: false,
        description: 'The canonical JSON that `signature` covers: read the quote from it.',
        resolve: (value) => canonicalizeQuote(value),
      }),
    }),
  })
  types.adopt(quote, shown, INTERFACE)
  for (const [kind, members] of Object.entries(MEMBERS)) {
    const name = typeOfKind(kind)
    builder.loadableNode(name, {
      description: `A quote of the kind \`${kind}\`.`,
      interfaces: [shown],
      isTypeOf: (value: object) => kindOfShown(value) === kind,
      brandLoadedObjects: false,
      ...nodeOptions(INTERFACE, terms),
      fields: (t: never) => types.fields(t, quote, INTERFACE, { only: Object.keys(members) }),
    } as never)
    nodeNamesOf(builder).add(name, INTERFACE)
  }
}

/** How a quote stands. */
export const addQuoteEdges: GraphFeature = (builder, types, tools) => {
  const { run } = tools
  const givenId = ({ given }: Payload) => String(given['quoteId']).toLowerCase()
  addChangedId(builder, tools, {
    mutation: 'refreshQuote',
    field: 'replacedId',
    typename: INTERFACE,
    description: '`id` of the quote that ended in favour of the new one; null after an error.',
    keyOf: givenId,
  })
  for (const mutation of ['unlockQuote', 'submitQuote'])
    addChangedId(builder, tools, {
      mutation,
      field: 'nodeId',
      typename: INTERFACE,
      description: '`id` of the quote; null after an error.',
      keyOf: ({ given }) => (given['input'] as { quoteId: string }).quoteId.toLowerCase(),
    })
  const shown = types.output(quote, INTERFACE).type as never
  const status = operationNamed(submitOperations, 'relayStatus')
  builder.queryField('quote', (t) =>
    t.field({
      type: shown,
      nullable: true,
      args: {
        id: t.arg.id({ required: true, description: '`id` of the quote, which is not its `quoteId`.' }),
      },
      complexity: () => operationComplexity(),
      description: 'The account’s quote with this id; null as for `node`.',
      async resolve(_, { id }, context) {
        const { typename, id: bound } = nodeNamesOf(builder).decode(id)
        if (!typename.endsWith(INTERFACE)) throw badRequest('id: expected the id of a quote')
        const { accountId, keys } = await openKeys(context, INTERFACE, [bound])
        const [quoteId] = keys
        return (quoteId ? await loadQuote(run, context, accountId, quoteId) : null) as never
      },
    }),
  )
  builder.interfaceField(shown, 'relay', (t) =>
    t.field({
      type: types.output(relayStatus, 'RelayStatus').type as never,
      nullable: true,
      complexity: () => operationComplexity(),
      description: 'How far it is, once it was submitted; before, that it is locked.',
      async resolve(value, _, context) {
        const { quoteId } = value as QuoteValue
        const accountId = (await context.authenticate())?.accountId
        return (await run(status, { path: { accountId, quoteId } }, context)) as never
      },
    }),
  )
}
