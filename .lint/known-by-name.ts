import { globSync } from 'node:fs'
import { basename, dirname, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { areasOf, isAllowed, type AllowedNames } from './find-named.ts'
import type { Rule } from './house.ts'
import { readJson } from './read-json.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const [engine, ...others] = areasOf(readJson(new URL('names.json', import.meta.url)) as AllowedNames)
const kindNames = new Set(
  globSync('relayer/transact/kinds/*/', { cwd: root }).map((path) => basename(path).replaceAll('-', '_')),
)

/** The engine names no kind of quote and the gateway no feature, except where names.json says why. */
export const knownByName: Rule = {
  create(context) {
    const file = fromRoot(context.filename)
    const areas = [engine, ...others].filter((area) => area && area.holds(file) && !isAllowed(area, file))
    if (areas.length === 0) return {}

    function report(node: object, says: string, what: string): void {
      const message = `${says}, but this names ${what}: pass it in, ask the kind or the feature, or give the reason in .lint/names.json.`
      context.report({ node: node as never, message })
    }

    function check(node: { value?: unknown } | null | undefined): void {
      if (!node || typeof node.value !== 'string' || !node.value.startsWith('.')) return
      const imported = fromRoot(resolve(dirname(context.filename), node.value))
      for (const area of areas) if (area?.names(imported)) report(node, area.says, imported)
    }

    return {
      ImportDeclaration: ({ source }) => check(source),
      ExportNamedDeclaration: ({ source }) => check(source),
      ImportExpression: ({ source }) => check(source as { value?: unknown }),
      TSImportType: ({ source }) => check(source),
      Literal(node) {
        if (!areas.includes(engine) || typeof node.value !== 'string' || !kindNames.has(node.value)) return
        report(node, engine?.says ?? '', `the kind '${node.value}'`)
      },
      MemberExpression({ object, property }) {
        if (object.type !== 'Identifier' || object.name !== 'services' || property.type !== 'Identifier')
          return
        for (const area of areas) if (area !== engine) report(property, area?.says ?? '', property.name)
      },
      VariableDeclarator({ id, init }) {
        if (id.type !== 'ObjectPattern' || init?.type !== 'Identifier' || init.name !== 'services') return
        for (const area of areas) if (area !== engine) report(id, area?.says ?? '', 'a service')
      },
    }
  },
}

const fromRoot = (path: string) => relative(root, path).split(sep).join('/')
