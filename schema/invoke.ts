import type { Principal } from '../relayer/identity/principal.ts'
import { ServiceError } from '../relayer/service-error.ts'
import type { OperationContext } from './context.ts'
import type { InputShapes, Operation, ParsedInput } from './operation.ts'
import { describeIssues } from './describe-issues.ts'

/** Input as it arrived: by REST with numbers already read from text, by GraphQL already coerced. */
export type RawInput = Partial<Record<keyof InputShapes, unknown>>

/**
 * Runs an operation for REST and GraphQL alike: access, rate limit, ownership, validation, then the operation itself,
 * under an idempotency key once.
 *
 * @returns the answer in wire form (decimal strings, no bigint).
 * @throws ServiceError for everything that the client is to blame for or may wait out.
 */
export async function invoke(
  operation: Operation,
  input: RawInput,
  context: OperationContext,
): Promise<unknown> {
  const principal = operation.access === 'public' ? null : await context.authenticate()
  if (operation.access === 'bearer') demandAccess(operation, principal)
  if (operation.limit !== undefined) {
    await context.limiter.take({
      operation: operation.name,
      limit: operation.limit,
      client: principal?.id ?? context.client.address,
    })
  }
  const accountId = demandOwnership(operation, input, principal)
  const parsed = parseInput(operation, input)
  const run = () => operation.run(parsed, { ...context, principal })
  const key = readIdempotencyKey(operation, context.idempotencyKey)
  if (key === null || accountId === null) return run()
  return context.idempotency.once({ accountId, operation: operation.name, key, input }, run)
}

function demandAccess(operation: Operation, principal: Principal | null): asserts principal is Principal {
  if (!principal)
    throw new ServiceError('unauthorized', 'A valid bearer token is required', { code: 'UNAUTHORIZED' })
  const scope = operation.kind === 'query' ? 'read' : 'write'
  if (!principal.scopes.has(scope))
    throw new ServiceError('forbidden', `This token may not ${scope}: it lacks the scope`)
}

/**
 * The path's accountId, once it is known to be the caller's. An account that does not exist is refused as another's is,
 * so that nobody learns which exist.
 */
function demandOwnership(operation: Operation, input: RawInput, principal: Principal | null): string | null {
  if (!operation.input.path || !('accountId' in operation.input.path.shape)) return null
  const asked = (input.path as { accountId?: unknown } | undefined)?.accountId
  if (typeof asked === 'string' && principal?.accountId === asked.toLowerCase()) return principal.accountId
  if (!operation.errors.includes(403) && operation.errors.includes(404))
    throw new ServiceError('not-found', 'There is no such account')
  throw new ServiceError('forbidden', 'This token does not give access to that account')
}

function readIdempotencyKey(operation: Operation, key: string | null): string | null {
  if (!operation.idempotency) return null
  if (key === null && operation.idempotency === 'optional') return null
  if (key !== null && key.length >= 1 && key.length <= 255) return key
  throw new ServiceError('bad-request', 'Idempotency-Key: expected 1 to 255 characters', {
    code: 'BAD_REQUEST',
  })
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
