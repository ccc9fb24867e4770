import { isOfAccount } from '../define/operation-errors.ts'
import type { Operation } from '../define/operation.ts'
import { pascalCase } from '../define/pascal-case.ts'
import type { GraphBuilder } from './builder.ts'
import { codeOfError, createErrorTypes, errorsInPayload, type ShownError } from './error-types.ts'
import type { AccountRef } from './graph-feature.ts'
import { operationComplexity } from './operation-complexity.ts'
import type { TypeMapper } from './shape-to-type.ts'

type Given = Readonly<Record<string, unknown>>

/** The answer of a mutation, why there is none, and the arguments. */
export type Payload = Given & { errors: readonly ShownError[]; given: Given }

/** The type of a payload, to which features add the ids of what changed. */
export type PayloadRef =
  GraphBuilder extends PothosSchemaTypes.SchemaBuilder<infer Types>
    ? PothosSchemaTypes.ObjectRef<Types, Payload>
    : never

/** The payloads of mutations. */
export interface Payloads {
  /** The type of an operation's payload. */
  typeOf(operation: Operation): PayloadRef
  /** Runs an operation; an error that it declares becomes a part of the payload. */
  run(operation: Operation, given: Given, work: () => Promise<unknown>): Promise<Payload>
}

/**
 * Creates payloads: the members of an operation's answer, or the entity that it is, and `errors`. plugin-errors is not
 * used: it distinguishes errors by their class, and all errors of this service have one class.
 */
export function createPayloads(builder: GraphBuilder, types: TypeMapper, account: AccountRef): Payloads {
  const errors = createErrorTypes(builder, types)

  return {
    typeOf(operation) {
      const declared = errorsInPayload(operation)
      errors.declare(declared)
      const name = `${pascalCase(operation.name)}Payload`
      const codes = [...new Set(declared.map(codeOfError))].sort()
      const entity = findEntityField(types, operation)
      const ref = builder.objectRef<Payload>(name)
      ref.implement({
        description: `What became of \`${operation.name}\`.`,
        fields: (t) => ({
          ...(entity
            ? {
                [entity.name]: t.field({
                  type: entity.ref as never,
                  nullable: true,
                  description: 'The object as it is now; null if there are errors.',
                  resolve: (payload) => payload[entity.name] as never,
                }),
              }
            : (types.fields(t as never, operation.output as never, name, { nullable: true }) as object)),
          ...(isOfAccount(operation.input) && {
            account: t.field({
              type: account,
              nullable: true,
              complexity: () => operationComplexity(),
              description: 'The account after the change.',
              resolve: ({ given }) => String(given['accountId']).toLowerCase() as never,
            }),
          }),
          errors: t.field({
            type: [errors.ref],
            nullable: false,
            description:
              codes.length > 0
                ? `Empty, or one of ${codes.join(', ')}.`
                : 'Empty: each error fails the field.',
            resolve: (payload) => payload.errors,
          }),
        }),
      })
      return ref
    },
    async run(operation, given, work) {
      try {
        const answer = (await work()) as Record<string, unknown>
        const entity = findEntityField(types, operation)
        return { ...(entity ? { [entity.name]: answer } : answer), errors: [], given }
      } catch (error) {
        const shown = await errors.show(operation, error)
        if (!shown) throw error
        return { errors: [shown], given }
      }
    },
  }
}

/** The field of an answer that is an entity: `quote` of a `Quote`. */
function findEntityField(types: TypeMapper, { output }: Operation): { name: string; ref: object } | null {
  const entity = types.entityOf(output)
  return entity && { name: entity.name.charAt(0).toLowerCase() + entity.name.slice(1), ref: entity.ref }
}
