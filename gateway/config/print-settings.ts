import { ENVIRONMENT } from './environment.ts'
import { listSettings, pathOf, type Setting } from './list-settings.ts'

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
