import type { Rule } from './house.ts'

const minWords = 3

/** Every exported function, constant, class, interface and type has a docstring directly above it. */
export const documentedExports: Rule = {
  create(context) {
    const { sourceCode } = context
    return {
      Program({ body }) {
        const local = new Map<string, (typeof body)[number]>()
        for (const statement of body) for (const name of namesOf(statement)) local.set(name, statement)
        const done = new Set<string>()

        function demand(statement: (typeof body)[number], name: string): void {
          // Of the overloads of one function the first speaks for all.
          if (done.has(name)) return
          done.add(name)
          const comment = sourceCode.getCommentsBefore(statement).at(-1)
          const text = comment?.type === 'Block' && comment.value.startsWith('*') ? comment.value : ''
          const isAbove = comment && comment.loc.end.line >= statement.loc.start.line - 1
          const words = isAbove ? (text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) : 0
          if (words >= minWords) return
          const message = `Say above ${name} what it does, in which units, and which errors it throws: /** … */`
          context.report({ node: statement, message })
        }

        for (const statement of body) {
          if (statement.type === 'ExportDefaultDeclaration') demand(statement, 'the default export')
          if (statement.type !== 'ExportNamedDeclaration' || statement.source) continue
          const [name] = namesOf(statement)
          if (name !== undefined) demand(statement, name)
          for (const { local: exported } of statement.specifiers) {
            const declared = exported.type === 'Identifier' ? local.get(exported.name) : undefined
            if (declared && exported.type === 'Identifier') demand(declared, exported.name)
          }
        }
      },
    }
  },
}

type Statement = {
  type: string
  declaration?: unknown
  id?: unknown
  declarations?: readonly { id: unknown }[]
}

/** The names that a statement declares, exported or not. */
function namesOf(statement: Statement): string[] {
  if (statement.type === 'ExportNamedDeclaration' && statement.declaration)
    return namesOf(statement.declaration as Statement)
  const ids = statement.declarations?.map(({ id }) => id) ?? [statement.id]
  return ids.flatMap((id) => {
    const name = (id as { name?: unknown } | null | undefined)?.name
    return typeof name === 'string' ? [name] : []
  })
}
