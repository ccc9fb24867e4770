import { codeOfStatus, statusOfKind } from '../define/error-status.ts'
import { createAnswerEncoder } from '../define/encode.ts'
import type { Operation } from '../define/operation.ts'
import { pascalCase } from '../define/pascal-case.ts'
import { ServiceError, type DefinedError } from '../../relayer/service-error.ts'
import type { GraphBuilder } from './builder.ts'
import type { TypeMapper } from './shape-to-type.ts'

/** An error in a payload, with its members in wire form. */
export interface ShownError {
  definition: DefinedError
  message: string
  retryAfterSeconds: number | undefined
}

/** The types of declared errors, which implement `Error`. */
export interface ErrorTypes {
  /** The interface. */
  ref: ReturnType<typeof makeInterface>
  /** Makes the types of an operation's errors. */
  declare(errors: readonly DefinedError[]): void
  /** An error of a payload; null for one that an operation does not declare, which fails its field. */
  show(operation: Operation, error: unknown): Promise<ShownError | null>
}

/** The code of an error; of one without, that of its class. */
export const codeOfError = ({ terms }: DefinedError): string =>
  terms.code ?? codeOfStatus(statusOfKind(terms.kind))

const typeOfCode = (code: string): string => `${pascalCase(code.toLowerCase())}Error`

/** Errors that an operation answers in its payload. Errors of access, limits and shape fail the field, as in queries. */
export const errorsInPayload = ({ errors, foreignAccount }: Operation): readonly DefinedError[] =>
  errors.filter((error) => error !== foreignAccount)

export function createErrorTypes(builder: GraphBuilder, types: TypeMapper): ErrorTypes {
  const ref = makeInterface(builder)
  const made = new Map<string, DefinedError>()
  const encoders = new Map<DefinedError, (answer: unknown) => Promise<unknown>>()

  function declareOne(error: DefinedError): void {
    const code = codeOfError(error)
    const { members } = error
    if (members) encoders.set(error, createAnswerEncoder(members))
    if (made.has(code)) return
    made.set(code, error)
    const name = typeOfCode(code)
    builder.objectType(
      name as never,
      {
        description: error.terms.meaning ?? `An error of the class ${code}.`,
        interfaces: [ref],
        isTypeOf: (value: unknown) => codeOfError((value as ShownError).definition) === code,
        fields: (t: never) =>
          error.terms.code !== undefined && members ? types.fields(t, members, name) : ({} as never),
      } as never,
    )
  }

  return {
    ref,
    declare(errors) {
      for (const error of errors) declareOne(error)
    },
    async show(operation, error) {
      if (!(error instanceof ServiceError) || !errorsInPayload(operation).includes(error.definition))
        return null
      const { definition, message, retryAfterSeconds, details } = error
      const members = (await encoders.get(definition)?.(details)) ?? {}
      return { ...members, definition, message, retryAfterSeconds }
    },
  }
}

function makeInterface(builder: GraphBuilder) {
  return builder.interfaceRef<ShownError>('Error').implement({
    description:
      'Why a change was not made. Each error has a type with its own members. Errors of input, token, rights and limits fail the field instead.',
    resolveType: ({ definition }) => typeOfCode(codeOfError(definition)),
    fields: (t) => ({
      code: t.string({
        nullable: false,
        description: 'The code for programs, as `code` of REST.',
        resolve: ({ definition }) => codeOfError(definition),
      }),
      message: t.string({
        nullable: false,
        description: 'Text for a person.',
        resolve: ({ message }) => message,
      }),
      retry: t.string({
        nullable: true,
        description: 'Whether to try again, and after what; null where the message says all.',
        resolve: ({ definition }) => definition.terms.retry ?? null,
      }),
      retryAfterSeconds: t.field({
        type: 'SafeInt',
        nullable: true,
        description: 'Seconds after which the same may succeed; null where that is not known.',
        resolve: (error) => error.retryAfterSeconds ?? null,
      }),
    }),
  })
}
