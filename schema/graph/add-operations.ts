import type { z } from 'zod'
import type { RawInput } from '../define/invoke.ts'
import type { OperationContext } from '../define/context.ts'
import { IDEMPOTENCY_KEY, type Operation } from '../define/operation.ts'
import { isEmptyShape, inspectShape } from '../define/inspect-shape.ts'
import type { GraphBuilder } from './builder.ts'
import { forgetReads } from './forget-reads.ts'
import { limitArgument, operationComplexity } from './operation-complexity.ts'
import type { AccountNode, GraphTools } from './graph-feature.ts'
import { createPayloads, type PayloadRef } from './payloads.ts'
import { describe, type OneOfShapes, type TypeMapper } from './shape-to-type.ts'

/**
 * Adds each operation as a query or mutation of the same name. Path and query parameters become arguments, the body
 * becomes the argument `input`, the Idempotency-Key the argument `idempotencyKey`.
 */
export function addOperations(
  builder: GraphBuilder,
  types: TypeMapper,
  operations: readonly Operation[],
  { run, account }: Pick<GraphTools, 'run' | 'account'>,
): ReadonlyMap<string, PayloadRef> {
  const payloads = createPayloads(builder, types, account)
  const refs = new Map<string, PayloadRef>()
  for (const operation of operations) {
    const resolve: Resolve = (_, given, context) =>
      run(operation, inputOf(operation, given), withKey(context, given))
    if (operation.kind === 'query')
      builder.queryField(operation.name, (t) =>
        operationField(t as unknown as FieldMaker, types, operation, { resolve }),
      )
    else {
      const type = payloads.typeOf(operation)
      refs.set(operation.name, type)
      builder.mutationField(operation.name, (t) =>
        operationField(t as unknown as FieldMaker, types, operation, {
          type,
          resolve: (parent, given, context) =>
            payloads
              .run(operation, given, () => resolve(parent, given, context))
              .finally(() => forgetReads(context)),
        }),
      )
    }
  }
  return refs
}

/** Adds the queries that operations offer as fields of `Account`; the account's id is not an argument there. */
export function addAccountFields(
  builder: GraphBuilder,
  types: TypeMapper,
  operations: readonly Operation[],
  { run, account }: Pick<GraphTools, 'run' | 'account'>,
): void {
  for (const operation of operations) {
    const { field, kind, input } = operation
    if (field === undefined) continue
    if (kind !== 'query' || !input.path || !('accountId' in input.path.shape))
      throw new Error(
        `${operation.name} is not a query of an account, so it cannot be a field of \`Account\``,
      )
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
  { without, resolve, type }: { without?: string; resolve: Resolve; type?: unknown },
): never {
  const limitOf = limitArgument(operation.input)
  return t.field({
    description: `${operation.summary}. ${operation.description}`,
    type: type ?? types.output(operation.output, operation.name).type,
    ...(operation.instead !== undefined && {
      deprecationReason: `Use \`${operation.instead}\`: its objects have ids.`,
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
  const choice = choiceOf(operation)
  const members: [string, z.core.$ZodType][] = Object.entries({
    ...path?.shape,
    ...query?.shape,
    // GraphQL has no input types without members.
    ...(body && !choice && !isEmptyShape(body) && { input: body }),
  }).filter(([name]) => name !== without)
  const args = Object.fromEntries(
    members.map(([name, member]) => {
      const { type, nullable } = types.input(member, operation.name)
      return [name, t.arg({ ...describe(member), type, required: !nullable })]
    }),
  )
  if (choice && body)
    args['input'] = t.arg({
      ...describe(body),
      type: types.oneOf(choice, types.nameOf(body)),
      required: true,
    })
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
    ...(body && !isEmptyShape(body) && { body: bodyOf(operation, body, given['input']) }),
  }
}

/** The shapes of a body that is one of several; undefined for any other. */
function choiceOf({ bodyOnWire }: Operation): OneOfShapes | undefined {
  const { def } = (bodyOnWire as z.core.$ZodTypes | undefined)?._zod ?? {}
  if (def?.type !== 'union' || !('discriminator' in def)) return undefined
  const { discriminator, options } = def as z.core.$ZodDiscriminatedUnionDef
  const named = options.map((option) => {
    const shape = option as z.core.$ZodObject
    const [value] = (shape._zod.def.shape[discriminator] as z.core.$ZodLiteral)._zod.def.values
    return [memberOf(String(value)), shape] as const
  })
  return { discriminator, options: new Map(named) }
}

/** `poolDeposit` for `pool_deposit`. */
const memberOf = (value: string) => value.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

function bodyOf(operation: Operation, body: z.ZodObject, given: unknown): unknown {
  const choice = choiceOf(operation)
  if (!choice) return absentForNull(body, given)
  const [member, value] = Object.entries(given as Given)[0] ?? []
  const shape = choice.options.get(member ?? '')
  if (!shape) return given
  const [type] = (shape._zod.def.shape[choice.discriminator] as z.core.$ZodLiteral)._zod.def.values
  return { ...(absentForNull(shape, value) as object), [choice.discriminator]: type }
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
