import type { z } from 'zod'
import type { invoke, RawInput } from '../invoke.ts'
import type { Operation } from '../operation.ts'
import { absentForNull } from './absent-for-null.ts'
import type { GraphBuilder } from './builder.ts'
import { describe, type TypeMapper } from './shape-to-type.ts'

/**
 * Adds each operation as a query or mutation of its name. Path and query parameters are arguments, the body is the
 * argument `input`.
 */
export function addOperations(
  builder: GraphBuilder,
  types: TypeMapper,
  operations: readonly Operation[],
  run: typeof invoke,
): void {
  for (const operation of operations) {
    const makeField = (t: FieldMaker) =>
      t.field({
        description: `${operation.summary}. ${operation.description}`,
        ...types.output(operation.output, operation.name),
        args: argumentsOf(operation, types, t),
        resolve: (_, given, context) => run(operation, inputOf(operation, given), context),
      })
    if (operation.kind === 'query')
      builder.queryField(operation.name, (t) => makeField(t as unknown as FieldMaker))
    else builder.mutationField(operation.name, (t) => makeField(t as unknown as FieldMaker))
  }
}

/** Pothos' field builder, for fields whose types are known at run time only. */
interface FieldMaker {
  arg(options: { type: unknown; required: boolean; description?: string }): unknown
  field(options: {
    description: string
    type: unknown
    nullable: boolean
    args: Record<string, unknown>
    resolve(
      parent: unknown,
      given: Readonly<Record<string, unknown>>,
      context: Parameters<typeof invoke>[2],
    ): Promise<unknown>
  }): never
}

function argumentsOf(operation: Operation, types: TypeMapper, t: FieldMaker): Record<string, unknown> {
  const { path, query, body } = operation.input
  const members: [string, z.core.$ZodType][] = Object.entries({
    ...path?.shape,
    ...query?.shape,
    ...(body && { input: body }),
  })
  return Object.fromEntries(
    members.map(([name, member]) => {
      const { type, nullable } = types.input(member, operation.name)
      return [name, t.arg({ ...describe(member), type, required: !nullable })]
    }),
  )
}

function inputOf(operation: Operation, given: Readonly<Record<string, unknown>>): RawInput {
  const { path, query, body } = operation.input
  const pick = (shape: z.ZodObject) => absentForNull(shape, pickMembers(given, Object.keys(shape.shape)))
  return {
    ...(path && { path: pick(path) }),
    ...(query && { query: pick(query) }),
    ...(body && { body: absentForNull(body, given['input']) }),
  }
}

function pickMembers(from: Readonly<Record<string, unknown>>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (name in from ? [[name, from[name]]] : [])))
}
