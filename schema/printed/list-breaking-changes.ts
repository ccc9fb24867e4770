import { readFileSync } from 'node:fs'
import { CriticalityLevel, diff } from '@graphql-inspector/core'
import { buildSchema, type GraphQLSchema } from 'graphql'

const HEAD = `# Breaking changes of the GraphQL schema

Since the last release (\`released.graphql\`), found by graphql-inspector and printed by \`npm run print\`. CHANGELOG.md says why.
`

/** Markdown that names every change since the last release by which a client's documents may fail. */
export async function printBreakingChanges(schema: GraphQLSchema): Promise<string> {
  const released = buildSchema(readFileSync(new URL('released.graphql', import.meta.url), 'utf8'))
  const changes = await diff(released, schema)
  const messages = changes
    .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
    .map(({ path, message }) => ({ path: path ?? '', message }))
    .sort((one, other) => (one.path < other.path ? -1 : 1))
  const exchanged = (message: string) => /changed(?: type)? from '(.*)' to '(.*)'/.exec(message)
  const byTypes = Map.groupBy(messages, ({ message }) => {
    const [, from, to] = exchanged(message) ?? []
    return from === undefined ? '' : `\`${from}\` → \`${to}\``
  })
  const other = byTypes.get('') ?? []
  byTypes.delete('')
  return [
    HEAD,
    ...other.map(({ message }) => `- ${message.replaceAll(/'([^']+)'/g, '`$1`')}`),
    '',
    ...[...byTypes]
      .sort(([one], [two]) => (one < two ? -1 : 1))
      .flatMap(([types, of]) => [`## ${types}`, '', ...of.map(({ path }) => `- \`${path}\``), '']),
  ].join('\n')
}
