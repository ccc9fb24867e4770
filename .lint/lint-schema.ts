// `npm run check:schema`: graphql-eslint's rules for schemas, over the printed schema alone.
import { readFileSync } from 'node:fs'
import { Linter, type ESLint } from 'eslint'

interface SchemaPlugin {
  rules: NonNullable<ESLint.Plugin['rules']>
  parser: Linter.Parser
  configs: Record<'flat/schema-recommended' | 'flat/schema-relay', { rules: Linter.RulesRecord }>
}

const NAMING = '@graphql-eslint/naming-convention'

/** The bundle without loaders of files, which are half of the plugin's 80 MB and 200 packages. */
const bundle = new URL('browser.js', import.meta.resolve('@graphql-eslint/eslint-plugin/package.json'))
const { rules, parser, configs } = (await import(bundle.href)) as SchemaPlugin

const [, conventions] = configs['flat/schema-recommended'].rules[NAMING] as [string, Record<string, unknown>]
const {
  // Values and some names are those of REST and OAuth, which GraphQL does not rename.
  EnumValueDefinition: _values,
  'ObjectTypeDefinition,ObjectTypeExtension': _prefixes,
  ...named
} = conventions

/** Members of OAuth, of Groth16 proofs and of EIP-712 types have other names. */
const camelCase = { style: 'camelCase', ignorePattern: '^([a-z]+_[a-z_]+|Call|Intent)$' }

const chosen: Linter.RulesRecord = {
  ...configs['flat/schema-recommended'].rules,
  ...configs['flat/schema-relay'].rules,
  [NAMING]: ['error', { ...named, FieldDefinition: camelCase, InputValueDefinition: camelCase }],
  '@graphql-eslint/no-scalar-result-type-on-mutation': 'error',
  '@graphql-eslint/require-nullable-fields-with-oneof': 'error',
  '@graphql-eslint/require-nullable-result-in-root': 'error',
  '@graphql-eslint/require-description': [
    'error',
    { types: true, DirectiveDefinition: true, FieldDefinition: true, InputValueDefinition: true },
  ],
  // Lists that an operation pages forward have no `last`; short lists are lists.
  '@graphql-eslint/relay-arguments': ['error', { includeBoth: false }],
  '@graphql-eslint/relay-edge-types': ['error', { listTypeCanWrapOnlyEdgeType: false }],
  // `chainId` of a chain is the name that REST has; things without identity have no id (schema/graph/README.md).
  '@graphql-eslint/no-typename-prefix': 'off',
  '@graphql-eslint/strict-id-in-types': 'off',
}

const file = process.argv[2] ?? 'schema/printed/schema.graphql'
const text = readFileSync(file, 'utf8')
const found = new Linter({ configType: 'flat' }).verify(
  text,
  [
    {
      files: ['**/*.graphql'],
      plugins: { '@graphql-eslint': { rules } },
      languageOptions: { parser, parserOptions: { schemaSdl: text, graphQLConfig: { schema: text } } },
      rules: chosen,
    },
  ],
  { filename: 'schema.graphql' },
)
for (const { line, message, ruleId } of found) console.error(`${file}:${line} ${message} (${ruleId})`)
if (found.length > 0) process.exitCode = 1
