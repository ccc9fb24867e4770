import type { z } from 'zod'
import type { invoke, RawInput } from '../define/invoke.ts'
import type { OperationContext } from '../define/context.ts'
import { IDEMPOTENCY_KEY, type Operation } from '../define/operation.ts'
import { isEmptyShape, inspectShape } from '../define/inspect-shape.ts'
import type { GraphBuilder } from './builder.ts'
import { limitArgument, operationComplexity } from './operation-complexity.ts'
import type { AccountNode, GraphTools } from './graph-feature.ts'
import { describe, type TypeMapper } from './shape-to-type.ts'

/**
 * Adds each operation as a query or mutation of the same name. Path and query parameters become arguments, the body
 * becomes the argument `input`, the Idempotency-Key the argument `idempotencyKey`.
 */
export function addOperations(
  builder: GraphBuilder,
  types: TypeMapper,
  operations: readonly Operation[],
  run: typeof invoke,
): void {
  for (const operation of operations) {
    const makeField = (t: unknown) =>
      operationField(t as FieldMaker, types, operation, {
        resolve: (_, given, context) => run(operation, inputOf(operation, given), withKey(context, given)),
      })
    if (operation.kind === 'query') builder.queryField(operation.name, makeField)
    else builder.mutationField(operation.name, makeField)
  }
}

/** Adds the queries that operations offer as fields of `Account`; the account's id is not an argument there. */
export function addAccountFields(
  builder: GraphBuilder,
  types: TypeMapper,
  operations: readonly Operation[],
  { run, account }: GraphTools,
): void {
  for (const operation of operations) {
    const { field, kind, input } = operation
    if (field === undefined) continue
    if (kind !== 'query' || !input.path || !('accountId' in input.path.shape))
      throw new Error(`${operation.name} is no query of an account: it cannot be a field of one`)
    builder.objectField(account, field, (t) =>
      operationField(t as unknown as FieldMaker, types, operation, {
        without: 'accountId',
        resolve: (parent, given, context) => {
          const { accountId } = parent as AccountNode
          return run(operation, inputOf(operation, { ...given, accountId }), context)
        },
      }),
    )
  }
}

function operationField(
  t: FieldMaker,
  types: TypeMapper,
  operation: Operation,
  { without, resolve }: { without?: string; resolve: Resolve },
): never {
  const limitOf = limitArgument(operation.input)
  return t.field({
    description: `${operation.summary}. ${operation.description}`,
    type: types.output(operation.output, operation.name).type,
    ...(operation.instead !== undefined && {
      deprecationReason: `Use \`${operation.instead}\`, whose things have ids.`,
    }),
    // If one operation fails, the answers of the others must remain.
    nullable: true,
    complexity: limitOf
      ? (given) => operationComplexity(limitOf(given))
      : { field: operationComplexity().field },
    args: argumentsOf(operation, types, t, without),
    resolve,
  })
}

function withKey(context: OperationContext, given: Given): OperationContext {
  const key = given['idempotencyKey']
  return typeof key === 'string' ? { ...context, idempotencyKey: key } : context
}

type Given = Readonly<Record<string, unknown>>
type Resolve = (parent: unknown, given: Given, context: OperationContext) => Promise<unknown>

/** Pothos' field builder, for fields whose types are only known at run time. */
interface FieldMaker {
  arg(options: { type: unknown; required: boolean; description?: string }): unknown
  field(options: {
    description: string
    deprecationReason?: string
    type: unknown
    nullable: boolean
    complexity: { field: number } | ((given: Given) => { field: number; multiplier: number })
    args: Record<string, unknown>
    resolve: Resolve
  }): never
}

function argumentsOf(
  operation: Operation,
  types: TypeMapper,
  t: FieldMaker,
  without: string | undefined,
): Record<string, unknown> {
  const { path, query, body } = operation.input
  const members: [string, z.core.$ZodType][] = Object.entries({
    ...path?.shape,
    ...query?.shape,
    // GraphQL has no input types without members.
    ...(body && !isEmptyShape(body) && { input: body }),
  }).filter(([name]) => name !== without)
  const args = Object.fromEntries(
    members.map(([name, member]) => {
      const { type, nullable } = types.input(member, operation.name)
      return [name, t.arg({ ...describe(member), type, required: !nullable })]
    }),
  )
  if (operation.idempotency === undefined) return args
  const description = `${IDEMPOTENCY_KEY} 1 to 255 characters.`
  const required = operation.idempotency === 'required'
  return { ...args, idempotencyKey: t.arg({ type: 'String', required, description }) }
}

function inputOf(operation: Operation, given: Given): RawInput {
  const { path, query, body } = operation.input
  const pick = (shape: z.ZodObject) => absentForNull(shape, pickMembers(given, Object.keys(shape.shape)))
  return {
    ...(path && { path: pick(path) }),
    ...(query && { query: pick(query) }),
    ...(body && !isEmptyShape(body) && { body: absentForNull(body, given['input']) }),
  }
}

function pickMembers(from: Given, names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (name in from ? [[name, from[name]]] : [])))
}

/**
 * Drops members that are null although their shape does not allow null, at every depth: GraphQL clients write null
 * for members that they leave out. The validation then gets the same input by GraphQL as by REST.
 */
export function absentForNull(shape: z.core.$ZodType, value: unknown): unknown {
  const { def } = inspectShape(shape).base._zod
  if (def.type === 'array' && Array.isArray(value))
    return value.map((item) => absentForNull(def.element, item))
  if (def.type !== 'object' || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
      const member = def.shape[key]
      if (!member) return [[key, item]]
      return item === null && !inspectShape(member).nullable ? [] : [[key, absentForNull(member, item)]]
    }),
  )
}
