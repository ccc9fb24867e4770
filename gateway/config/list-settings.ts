import { z } from 'zod'
import { serviceConfig } from './config.ts'
import { ENVIRONMENT } from './environment.ts'

/** One setting of the configuration, as the schema describes it. */
export interface Setting {
  /** Path of the object that holds it, such as `chains[].relayer`; empty for the top of the file. */
  section: string
  name: string
  /** Accepted values in words. */
  type: string
  isRequired: boolean
  /** Undefined without one. */
  fallback: unknown
  meaning: string
}

/** All settings in the order of the schema, and the meaning of each section by its path. */
interface ListedSettings {
  settings: readonly Setting[]
  sections: ReadonlyMap<string, string>
}

interface Node {
  type?: string
  title?: string
  description?: string
  shownDefault?: string
  format?: string
  enum?: unknown[]
  const?: unknown
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  properties?: Record<string, Node>
  required?: string[]
  items?: Node
  anyOf?: Node[]
  oneOf?: Node[]
  additionalProperties?: Node | boolean
  default?: unknown
}

/**
 * Lists the settings of a configuration from its schema.
 *
 * @throws Error that names the settings without a description.
 */
export function listSettings(config: z.ZodType = serviceConfig): ListedSettings {
  const schema = z.toJSONSchema(config, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod
      if (def.type !== 'default') return
      jsonSchema.default = typeof def.defaultValue === 'bigint' ? String(def.defaultValue) : def.defaultValue
    },
  }) as Node
  const found = new Map<string, Setting>()
  const sections = new Map<string, string>()
  visit(schema, '', { found, sections })
  const settings = [...found.values()]
  const undescribed = [
    ...settings.filter(({ meaning }) => !meaning).map(pathOf),
    ...[...sections].filter(([, meaning]) => !meaning).map(([path]) => path),
  ]
  if (undescribed.length > 0) throw new Error(`settings without .describe(): ${undescribed.join(', ')}`)
  return { settings, sections }
}

/** The path of a setting from the top of the file. */
export const pathOf = ({ section, name }: { section: string; name: string }): string =>
  section ? `${section}.${name}` : name

interface Lists {
  found: Map<string, Setting>
  sections: Map<string, string>
}

/** Adds the members of an object and of all objects below it. */
function visit(node: Node, section: string, lists: Lists): void {
  const members = Object.entries(node.properties ?? {}).map(([name, member]) => ({
    name,
    member,
    path: pathOf({ section, name }),
  }))
  for (const { name, member, path } of members) {
    if (!isPlain(member)) continue
    const type = writeType(member)
    const earlier = lists.found.get(path)
    if (earlier) earlier.type = [...new Set([earlier.type, type])].join(', ')
    else
      lists.found.set(path, {
        section,
        name,
        type,
        isRequired: node.required?.includes(name) ?? false,
        fallback: member.shownDefault ?? member.default,
        meaning: member.description ?? '',
      })
  }
  for (const { member, path } of members)
    for (const part of listObjects(member, path)) {
      if (!isPlain(member)) lists.sections.set(part.path, member.description ?? '')
      visit(part.node, part.path, lists)
    }
}

const alternativesOf = (node: Node): Node[] => node.anyOf ?? node.oneOf ?? []

/** The objects with settings of their own that a value may hold, and their paths. */
function listObjects(node: Node, path: string): { path: string; node: Node }[] {
  const { properties, items, additionalProperties: values } = node
  if (properties) return [{ path, node }]
  if (items) return listObjects(items, `${path}[]`)
  if (typeof values === 'object') return listObjects(values, `${path}.*`)
  return alternativesOf(node).flatMap((one) => listObjects(one, path))
}

/** True if a value may be something else than objects with settings of their own. */
function isPlain(node: Node): boolean {
  const alternatives = alternativesOf(node)
  return alternatives.length > 0 ? alternatives.some(isPlain) : listObjects(node, '').length === 0
}

function writeType(node: Node): string {
  const { type, title, items, maximum, exclusiveMinimum, additionalProperties: values } = node
  const alternatives = alternativesOf(node)
  if (title) return title
  if (node.const !== undefined) return `\`${JSON.stringify(node.const).replaceAll('"', '')}\``
  if (node.enum) return node.enum.map((value) => `\`${String(value)}\``).join(', ')
  if (alternatives.length > 0)
    return [...new Set(alternatives.map((one) => (isPlain(one) ? writeType(one) : 'object')))].join(' or ')
  if (type === 'array') return `list${writeCount(node)}: ${items ? writeType(items) : 'any'}`
  if (type === 'object') return typeof values === 'object' ? `object of: ${writeType(values)}` : 'object'
  if (type === 'null') return '`null`'
  if (type === 'boolean') return '`true` or `false`'
  if (type === 'integer' || type === 'number') {
    const minimum = node.minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1)
    const least = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? null : minimum
    const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? null : maximum
    if (least !== null && most !== null) return `${grouped(least)} to ${grouped(most)}`
    return least === null ? type : `${grouped(least)} or more`
  }
  if (type === 'string') return node.format === 'uri' ? 'URL' : 'text'
  return 'value'
}

function writeCount({ minItems = 0, maxItems }: Node): string {
  if (maxItems !== undefined) return ` of ${minItems} to ${grouped(maxItems)}`
  return minItems > 0 ? ` of ${minItems} or more` : ''
}

const grouped = (value: number): string => value.toLocaleString('en-US')

/** Longest default that a table shows. */
const MAX_SHOWN = 120

/** Writes every setting and every variable of the environment as Markdown, from the schema of the configuration. */
export function printSettings(): string {
  const { settings, sections } = listSettings()
  const names = [...new Set(settings.map(({ section }) => section))]
  const tables = names.map((section) =>
    [
      section ? `## \`${section}\`` : '## Top of the file',
      ...(sections.has(section) ? [sections.get(section)] : []),
      '| setting | value | default | meaning |\n|---|---|---|---|\n' +
        settings
          .filter((setting) => setting.section === section)
          .map(writeRow)
          .join('\n'),
    ].join('\n\n'),
  )
  return `${[INTRODUCTION, writeEnvironment(settings), ...tables].join('\n\n')}\n`
}

const INTRODUCTION = `# Settings

Printed from the schema of the configuration by \`npm run print\`; do not edit. [OPERATING.md](../../OPERATING.md) and
[single features](FEATURES.md) say how to use it.

The file that the variable \`CONFIG\` names is one JSON object with these members. Variables of the environment override
it. Times are milliseconds where the name ends in \`Ms\`. An amount is a whole number of the smallest unit (wei), as
decimal text. \`{"$env": "NAME"}\` takes a value from the environment, \`{"$file": "path"}\` from a file.`

function writeEnvironment(settings: readonly Setting[]): string {
  const known = new Set(settings.map(pathOf))
  const rows = Object.entries(ENVIRONMENT).map(([name, { path, help }]) => {
    const setting = path.join('.')
    if (!known.has(setting)) throw new Error(`the variable ${name} sets ${setting}, which is no setting`)
    return `| \`${name}\` | \`${setting}\` | ${help} |`
  })
  return [
    '## Environment',
    '| variable | setting | meaning |\n|---|---|---|\n' +
      ['| `CONFIG` | | path of the JSON file |', ...rows].join('\n'),
  ].join('\n\n')
}

function writeRow({ name, type, isRequired, fallback, meaning }: Setting): string {
  const cells = [`\`${name}\``, type, isRequired ? 'required' : writeDefault(fallback), meaning]
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`
}

function writeDefault(value: unknown): string {
  if (value === undefined) return '–'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MAX_SHOWN ? 'built-in list' : `\`${text}\``
}
