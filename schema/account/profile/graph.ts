import type { Principal } from '../../../relayer/identity/principal.ts'
import { unauthorized } from '../../../relayer/errors.ts'
import { account as accountShape } from './model.ts'
import { accountOperations } from './operations.ts'
import { operationComplexity } from '../../graph/operation-complexity.ts'
import type { GraphFeature } from '../../graph/graph-feature.ts'

/** `viewer`: the account of the request's token. */
export const addViewer: GraphFeature = (builder, types, { run, account }) => {
  const readAccount = accountOperations.find(({ output }) => output === accountShape)
  if (!readAccount) throw new Error('no operation answers an account')
  const viewer = builder.objectRef<Principal>('Viewer').implement({
    description: 'Who the request’s bearer token speaks for.',
    fields: (t) => ({
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
        description: 'What the token may do: read, write.',
        resolve: ({ scopes }) => [...scopes].sort(),
      }),
      account: t.field({
        type: account,
        nullable: true,
        complexity: { field: operationComplexity().field },
        description: 'Null until it is registered.',
        resolve: async ({ accountId }, _, context) =>
          accountId === null
            ? null
            : ((await run(readAccount, { path: { accountId } }, context)) as { accountId: string }),
      }),
    }),
  })
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
