import { dirname, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Rule } from './house.ts'
import { findForbidden, type Layers } from './find-forbidden.ts'
import { readJson } from './read-json.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const layers = readJson(new URL('layers.json', import.meta.url)) as Layers

/** Imports between the folders and files of one folder go only downward in the order that layers.json declares. */
export const layerOrder: Rule = {
  create(context) {
    const importer = fromRoot(context.filename)

    function check(node: { type: string; value?: unknown } | null | undefined): void {
      if (node?.type !== 'Literal' || typeof node.value !== 'string' || !node.value.startsWith('.')) return
      const imported = fromRoot(resolve(dirname(context.filename), node.value))
      // A file that a package does not export is named by its path.
      if (imported.startsWith('node_modules/')) return
      const message = findForbidden(layers, importer, imported)
      if (message !== null) context.report({ node: node as never, message })
    }

    return {
      ImportDeclaration: ({ source }) => check(source),
      ExportNamedDeclaration: ({ source }) => check(source),
      ExportAllDeclaration: ({ source }) => check(source),
      ImportExpression: ({ source }) => check(source),
      TSImportType: ({ source }) => check(source),
      TSExternalModuleReference: ({ expression }) => check(expression),
      NewExpression({ callee, arguments: [path] }) {
        if (callee.type === 'Identifier' && callee.name === 'URL' && isSource(path)) check(path)
      },
    }
  },
}

const isSource = (node: { type: string; value?: unknown } | undefined) =>
  typeof node?.value === 'string' && /\.m?[jt]s$/.test(node.value)

const fromRoot = (path: string) => relative(root, path).split(sep).join('/')
