import { globSync, readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Rule } from './house.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const ROOMS = ['gateway', 'schema', 'relayer', 'proving', 'db']

/** A package of its own, with the service's words: a wallet has quotes and intents too. */
const CLIENT = 'schema/client/'

/** No two files of the rooms export the same name, re-exports included. */
export const uniqueExports: Rule = {
  create(context) {
    const file = relative(root, context.filename).split(sep).join('/')
    // The types of a module in JavaScript.
    if (file.endsWith('.d.mts') || file.startsWith(CLIENT)) return {}

    function check(node: object, name: unknown): void {
      if (typeof name !== 'string' || name === 'default') return
      const others = homesOf(name).filter((home) => home !== file)
      if (others.length === 0) return
      const message = `${others.join(', ')} exports ${name} as well: name each by its meaning, or import the one from where it is.`
      context.report({ node: node as never, message })
    }

    return {
      ExportAllDeclaration(node) {
        context.report({
          node,
          message: 'Import from the file that has it: `export *` gives a name a second home.',
        })
      },
      ExportNamedDeclaration(node) {
        for (const { exported } of node.specifiers)
          check(node, exported.type === 'Identifier' ? exported.name : exported.value)
        for (const name of declaredNames(node.declaration)) check(node, name)
      },
    }
  },
}

function declaredNames(declaration: unknown): unknown[] {
  const { id, declarations } = (declaration ?? {}) as { id?: unknown; declarations?: { id: unknown }[] }
  return (declarations?.map((one) => one.id) ?? [id]).map(
    (one) => (one as { name?: unknown } | undefined)?.name,
  )
}

let homes: Map<string, Set<string>> | undefined

/** The files that export a name. */
const homesOf = (name: string): readonly string[] => [...((homes ??= readHomes()).get(name) ?? [])]

/** The formatter puts `export` of a declaration at the beginning of a line. */
const DECLARED =
  /^export (?:declare |abstract |async )*(?:function\*?|const|let|class|interface|type|enum) ([\w$]+)/gm
const LISTED = /^export (?:type )?\{([^}]*)\}/gm

function readHomes(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const file of globSync(`{${ROOMS.join(',')}}/**/*.{ts,mts,mjs}`, { cwd: root })) {
    if (file.endsWith('.d.mts') || file.split(sep).join('/').startsWith(CLIENT)) continue
    const text = readFileSync(`${root}${file}`, 'utf8')
    const declared = [...text.matchAll(DECLARED)].map(([, name = '']) => name)
    const listed = [...text.matchAll(LISTED)].flatMap(([, names = '']) =>
      names.split(',').map((one) => /([\w$]+)\s*$/.exec(one)?.[1] ?? ''),
    )
    for (const name of [...declared, ...listed]) {
      const files = found.get(name) ?? new Set()
      found.set(name, files.add(file.split(sep).join('/')))
    }
  }
  return found
}
