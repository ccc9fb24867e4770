// `npm run measure`: figures of the code's structure, so that a redesign can be measured before and after. It judges nothing.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync, Visitor, type Comment, type Program } from 'oxc-parser'

/** Production code: what a service runs. */
const ROOMS = ['gateway', 'schema', 'relayer', 'proving', 'db']
/** The package for wallets, a third of it printed. */
const CLIENT = 'schema/client/'

const sources = execFileSync('git', ['ls-files', ...ROOMS], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file.endsWith('.ts') && !file.startsWith(CLIENT))
  .map((file) => {
    const text = readFileSync(file, 'utf8')
    const { program, comments, module } = parseSync(file, text)
    const imported = [...module.staticImports, ...module.staticExports.flatMap(({ entries }) => entries)]
    const sought = imported.flatMap((one) => one.moduleRequest?.value ?? [])
    return {
      file,
      lines: text.split('\n').length - 1,
      imports: new Set(sought.map((path) => normalize(join(dirname(file), path)))),
      ...measure(program, comments, text),
    }
  })

function measure(program: Program, comments: readonly Comment[], text: string) {
  const linesOf = ({ start, end }: { start: number; end: number }) =>
    text.slice(start, end).split('\n').length
  const functions: number[] = []
  const types: string[] = []
  const members: boolean[] = []
  let picks = 0
  const note = ({ id }: { id: { name: string } }) => void types.push(id.name)
  const visitor = new Visitor({
    FunctionDeclaration: (node) => void functions.push(linesOf(node)),
    FunctionExpression: (node) => void functions.push(linesOf(node)),
    ArrowFunctionExpression: (node) => void functions.push(linesOf(node)),
    TSTypeAliasDeclaration: note,
    TSInterfaceDeclaration(node) {
      note(node)
      if (node.id.name !== 'QuoteKind') return
      members.push(...node.body.body.map((member) => 'optional' in member && member.optional))
    },
    TSTypeReference: ({ typeName }) =>
      void (picks += typeName.type === 'Identifier' && typeName.name === 'Pick' ? 1 : 0),
  })
  visitor.visit(program)
  const whats = comments.filter(({ value }) => /^[*\s]*What\b/.test(value)).length
  return { functions, types, members, picks, whats }
}

const importers = Map.groupBy(
  sources.flatMap(({ file, imports }) => [...imports].map((to) => ({ from: file, to }))),
  ({ to }) => to,
)
const count = <Item>(items: readonly Item[], isCounted: (item: Item) => boolean) =>
  items.filter(isCounted).length
const small = (limit: number) => sources.filter(({ lines }) => lines < limit)
const sorted = sources.map(({ lines }) => lines).toSorted((a, b) => a - b)
const linesOf = (...folders: string[]) =>
  sources
    .filter(({ file }) => folders.some((folder) => file.startsWith(`${folder}/`)))
    .reduce((sum, { lines }) => sum + lines, 0)
const sum = (of: (source: (typeof sources)[number]) => number) =>
  sources.reduce((total, source) => total + of(source), 0)
const types = sources.flatMap((source) => source.types)
const functions = sources.flatMap((source) => source.functions)
const members = sources.flatMap((source) => source.members)

console.table({
  'production files': sources.length,
  'production lines': linesOf(...ROOMS),
  'median lines of a file': sorted[Math.floor(sorted.length / 2)],
  'files under 30 lines': small(30).length,
  'files under 60 lines with one importer': count(small(60), ({ file }) => importers.get(file)?.length === 1),
  'lines of transact in relayer, db and schema': linesOf(
    'relayer/transact',
    'db/transact',
    'schema/transact',
  ),
  'types named Quote': count(types, (name) => name.includes('Quote')),
  'types named Intent': count(types, (name) => name.includes('Intent')),
  'members of QuoteKind': members.length,
  'members of QuoteKind that are optional': count(members, Boolean),
  'functions over 60 lines': count(functions, (lines) => lines > 60),
  'functions over 100 lines': count(functions, (lines) => lines > 100),
  'types named Parts or Options': count(types, (name) => /(?:Parts|Options)$/.test(name)),
  'uses of Pick': sum(({ picks }) => picks),
  'lines of gateway/http, graphql and route': linesOf('gateway/http', 'gateway/graphql', 'gateway/route'),
  'comments that begin with What': sum(({ whats }) => whats),
})
