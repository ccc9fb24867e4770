import { badRequest } from '../../relayer/errors.ts'
import type { DefinedError } from '../../relayer/service-error.ts'
import { describeIssues } from '../define/describe-issues.ts'
import { missingScopeMessage } from '../define/access.ts'
import { rateLimitExceeded, scopeMissing } from '../define/errors.ts'
import { ERROR_CLASSES, type ErrorStatus, oauthCodeOf } from '../define/error-status.ts'
import { errorsOf, statusOf } from '../define/operation-errors.ts'
import type { Operation } from '../define/operation.ts'

type ErrorExample = Readonly<Record<string, unknown>>

/** Messages of HTTP errors, and of unexpected errors. */
const HTTP_MESSAGES: Partial<Record<ErrorStatus, string>> = {
  413: 'A request body may have at most 262144 bytes',
  500: 'The service failed; its operator finds out more under request id …',
}

/** An example of an operation's error with a status: its first error of that status, with its message. */
export function exampleOf(operation: Operation, status: ErrorStatus): ErrorExample {
  const { error: errorClass } = ERROR_CLASSES[status]
  const error = errorsOf(operation).find((each) => statusOf(each, operation) === status)
  if (!error) return { error: errorClass, message: HTTP_MESSAGES[status] ?? errorClass }
  const { code } = error.terms
  const message = messageOf(operation, error)
  if (operation.errorShape === 'oauth' && (status === 400 || status === 401))
    return { error: oauthCodeOf(status, code), error_description: message }
  return { error: errorClass, message, ...(code !== undefined && { code }), ...memberExamples(error) }
}

/** Members whose description has an example. */
function memberExamples({ members }: DefinedError): Record<string, unknown> {
  const examples = Object.entries(members?.shape ?? {}).flatMap(([name, member]) => {
    const [example] = member.meta()?.examples ?? []
    return example === undefined ? [] : [[name, example] as const]
  })
  return Object.fromEntries(examples)
}

function messageOf(operation: Operation, error: DefinedError): string {
  if (error === badRequest) return badRequestOf(operation)
  if (error === rateLimitExceeded)
    return `Rate limit exceeded. Maximum ${operation.limit} requests per 1 minute.`
  if (error === scopeMissing) return missingScopeMessage(operation.kind === 'query' ? 'read' : 'write')
  return error.example
}

type Member = 'query' | 'body' | 'path'

/** The parts of a request that may be invalid, except the account. */
function inputsOf({ query, body, path }: Operation['input']) {
  const beside = path && 'accountId' in path.shape ? path.omit({ accountId: true }) : path
  return Object.entries({ query, body, path: beside }).flatMap(([member, shape]) =>
    shape ? [[member as Member, shape] as const] : [],
  )
}

/**
 * Kinds of invalid input: missing members, text of the wrong format, text that is too long. A path has all its
 * members.
 */
const FAULTS = [
  { of: ['query', 'body'], value: undefined },
  { of: ['query', 'body', 'path'], value: '?' },
  { of: ['query', 'body', 'path'], value: '?'.repeat(20_000) },
]

/** The message of the validation for the first kind of invalid input that applies. */
function badRequestOf(operation: Operation): string {
  for (const { of, value } of FAULTS)
    for (const [member, shape] of inputsOf(operation.input)) {
      if (!of.includes(member)) continue
      const given = Object.fromEntries(Object.keys(shape.shape).map((name) => [name, value]))
      const { error } = shape.safeParse(given, { reportInput: true })
      const [first] = error ? describeIssues(error.issues.slice(0, 1), member) : []
      if (first !== undefined) return first
    }
  return 'Idempotency-Key: expected 1 to 255 characters'
}
