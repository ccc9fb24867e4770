import { buildOpenApi } from '../../schema/openapi/build-openapi.ts'
import { operations } from '../../schema/features.ts'
import { parseRest, type Operation } from '../../schema/define/operation.ts'

interface Described {
  responses?: Record<string, { content?: Record<string, { schema?: unknown }> }>
}

/** The codes that a document allows for errors of an operation with a status; empty if it names none. */
export function documentedCodes(document: object, operation: Operation, status: number): string[] {
  const { method, path } = parseRest(operation)
  const { paths } = document as { paths: Record<string, Record<string, Described>> }
  const described = paths[path]?.[method.toLowerCase()]?.responses?.[status]
  return findEnum(described?.content?.['application/json']?.schema) ?? []
}

/** The enum of `code` in an object schema or in one of those it is composed of. */
function findEnum(schema: unknown): string[] | undefined {
  const { allOf = [], properties } = (schema ?? {}) as {
    allOf?: unknown[]
    properties?: { code?: { enum?: string[] } }
  }
  return properties?.code?.enum ?? allOf.map(findEnum).find((found) => found !== undefined)
}

let printed: object | undefined

const patterns = operations.map((operation) => {
  const { method, path } = parseRest(operation)
  return {
    operation,
    method,
    form: new RegExp(`^${path.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
  }
})

/**
 * Checks that the printed API names the error for that operation. Every error that a test receives is checked.
 *
 * @throws Error if the operation does not name the status or the code.
 */
export function demandDocumented(method: string, url: string, status: number, body: unknown): void {
  const { code } = (body ?? {}) as { code?: unknown }
  if (status < 400 || typeof code !== 'string') return
  const path = new URL(url).pathname
  const found = patterns.filter((one) => one.method === method && one.form.test(path))
  if (found.length === 0) return
  const document = (printed ??= buildOpenApi(operations))
  if (found.some(({ operation }) => documentedCodes(document, operation, status).includes(code))) return
  const names = found.map(({ operation }) => operation.name).join(', ')
  throw new Error(
    `${names} answered ${status} ${code}, which its definition does not name: add it to its codes`,
  )
}
