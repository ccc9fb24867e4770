import { ServiceError } from '../relayer/service-error.ts'
import type { OperationContext } from './context.ts'
import type { InputShapes, Operation, ParsedInput } from './operation.ts'
import { describeIssues } from './describe-issues.ts'

/** Input as it arrived: by REST with numbers already read from text, by GraphQL already coerced. */
export type RawInput = Partial<Record<keyof InputShapes, unknown>>

/**
 * Runs an operation for REST and GraphQL alike: access, rate limit, validation, then the operation itself.
 *
 * @returns the answer in wire form (decimal strings, no bigint).
 * @throws ServiceError for everything that the client is to blame for or may wait out.
 */
export async function invoke(
  operation: Operation,
  input: RawInput,
  context: OperationContext,
): Promise<unknown> {
  if (operation.access === 'bearer' && !context.principal) {
    throw new ServiceError('unauthorized', 'A valid bearer token is required', { code: 'UNAUTHORIZED' })
  }
  if (operation.limit !== undefined) {
    await context.limiter.take({
      operation: operation.name,
      limit: operation.limit,
      clientAddress: context.client.address,
    })
  }
  return operation.run(parseInput(operation, input), context)
}

function parseInput(operation: Operation, input: RawInput): ParsedInput {
  const parsed: ParsedInput = {}
  const problems: string[] = []
  for (const member of ['path', 'query', 'body'] as const) {
    const shape = operation.input[member]
    if (!shape) continue
    const result = shape.safeParse(input[member], { reportInput: true })
    if (result.success) parsed[member] = result.data
    else problems.push(...describeIssues(result.error.issues, member))
  }
  if (problems.length > 0) throw new ServiceError('bad-request', problems.join('; '), { code: 'BAD_REQUEST' })
  return parsed
}
