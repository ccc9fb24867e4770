import type { z } from 'zod'
import type { RunContext } from '../define/context.ts'
import { createAnswerEncoder, type AnswerOf } from '../define/encode.ts'
import type { InputShapes, Operation } from '../define/operation.ts'

/** @throws Error when the feature has no operation of this name. */
export function operationNamed(operations: readonly Operation[], name: string): Operation {
  const found = operations.find((operation) => operation.name === name)
  if (!found) throw new Error(`no operation is named ${name}`)
  return found
}

/** The differences between GraphQL and REST for one operation. */
interface GraphAnswer<Output extends z.ZodType> {
  output: Output
  input?: InputShapes
  run?(input: never, context: RunContext): Promise<AnswerOf<Output>>
}

/** The same operation with the answer of GraphQL: access, limits and errors are those of REST. */
export const withAnswer = <Output extends z.ZodType>(
  operation: Operation,
  { output, input, run }: GraphAnswer<Output>,
): Operation => ({
  ...operation,
  output,
  encode: createAnswerEncoder(output),
  ...(input && { input }),
  ...(run && { run }),
})
