import type { Principal } from '../../../relayer/identity/principal.ts'
import { unauthorized } from '../../../relayer/errors.ts'
import { account as accountShape } from './model.ts'
import { accountOperations } from './operations.ts'
import { operationComplexity } from '../../graph/operation-complexity.ts'
import { createHash } from 'node:crypto'
import type { GraphQLResolveInfo } from 'graphql'
import type { z } from 'zod'
import type { OperationContext } from '../../define/context.ts'
import { addNode } from '../../graph/add-node.ts'
import { accountOf } from '../../graph/global-ids.ts'
import type { AccountNode, GraphFeature, GraphNodes, GraphTools } from '../../graph/graph-feature.ts'
import { operationNamed } from '../../graph/operation-named.ts'
import { selectsOwn } from '../../graph/selects.ts'

type Account = z.input<typeof accountShape>

/** Fields of an account that are read for it; a token shows the others. */
const READ_MEMBERS: ReadonlySet<string> = new Set(
  Object.keys(accountShape.shape).filter((member) => member !== 'accountId'),
)

/** `Account` is a node, which only its own token finds. */
export const addAccountNodes: GraphNodes = (builder, types, { run }) => {
  const read = operationNamed(accountOperations, 'account')
  addNode(builder, types, accountShape, {
    keyOf: ({ accountId }) => accountId,
    async load(keys, context) {
      const own = await accountOf(context)
      if (!(await context.authenticate())) throw unauthorized()
      return Promise.all(
        keys.map(async (accountId) =>
          accountId === own ? ((await run(read, { path: { accountId } }, context)) as Account) : null,
        ),
      )
    },
  })
}

/**
 * An account for a field that returns one. Only the members that a token does not show are read, and only where the field
 * selects them.
 */
export async function loadSelected(
  run: GraphTools['run'],
  accountId: string,
  context: OperationContext,
  info: GraphQLResolveInfo,
): Promise<AccountNode> {
  if (!selectsOwn(info, READ_MEMBERS)) return { accountId }
  const read = operationNamed(accountOperations, 'account')
  return (await run(read, { path: { accountId } }, context)) as AccountNode
}

/** An id that shows nothing of the principal. */
const idOf = ({ id }: Principal) => createHash('sha256').update(id).digest('base64url').slice(0, 22)

/** `viewer`: the account of the request's token. */
export const addViewer: GraphFeature = (builder, types, { run, account, payloads }) => {
  const viewer = builder.objectRef<Principal>('Viewer').implement({
    description: 'The account and client of the request’s bearer token.',
    fields: (t) => ({
      id: t.id({
        nullable: false,
        description:
          'Opaque id for caches: the same for every token of the sign-in’s key, or of the API key.',
        resolve: idOf,
      }),
      authAddress: t.string({
        nullable: true,
        description: 'Address of the spending key; null for API keys.',
        resolve: ({ authAddress }) => authAddress,
      }),
      accountId: t.string({
        nullable: true,
        description: 'Null until the account is registered.',
        resolve: ({ accountId }) => accountId,
      }),
      keyAccessMethod: t.field({
        type: types.output(accountShape.shape.keyAccessMethod, 'KeyAccessMethod').type as 'String',
        nullable: false,
        description: 'How the client of this token guards its keys.',
        resolve: ({ keyAccessMethod }) => keyAccessMethod,
      }),
      scopes: t.stringList({
        nullable: false,
        description: 'Rights of the token: read, write.',
        resolve: ({ scopes }) => [...scopes].sort(),
      }),
      account: t.field({
        type: account,
        nullable: true,
        complexity: { field: operationComplexity().field },
        description: 'Null until it is registered.',
        resolve: ({ accountId }, _, context, info) =>
          accountId === null ? null : loadSelected(run, accountId, context, info),
      }),
    }),
  })
  const created = payloads.get('createAccount')
  if (!created) throw new Error('no mutation is named createAccount')
  builder.objectField(created, 'viewer', (t) =>
    t.field({
      type: viewer,
      nullable: true,
      description: 'The viewer, who has the account now; a cache shows it wherever it shows the viewer.',
      resolve: (_, _given, context) => context.authenticate(),
    }),
  )
  builder.queryField('viewer', (t) =>
    t.field({
      type: viewer,
      nullable: true,
      description: 'Null without a token; UNAUTHORIZED for one that is not good.',
      async resolve(_, _given, context) {
        const principal = await context.authenticate()
        if (!principal && context.hasToken) throw unauthorized()
        return principal
      },
    }),
  )
}
