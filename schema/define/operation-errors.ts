import { answerLate, badRequest, databaseDown, serverBusy, unauthorized } from '../../relayer/errors.ts'
import type { DefinedError } from '../../relayer/service-error.ts'
import { isAboutPath, statusOfKind, type ErrorStatus } from './error-status.ts'
import {
  accountForbidden,
  idempotencyKeyReused,
  idempotencyKeysExhausted,
  rateLimitExceeded,
  scopeMissing,
} from './errors.ts'
import type { Operation } from './operation.ts'

/** The members of an operation that determine its errors. */
export type ErrorSource = Pick<Operation, 'access' | 'errors' | 'foreignAccount' | 'idempotency' | 'input'>

/**
 * Whether a request may be malformed. The path's accountId does not count, because access is checked before. Exported for
 * the test that compares the OpenAPI document with it.
 */
export function takesInput({ path, query, body }: Operation['input']): boolean {
  const beside = path && 'accountId' in path.shape ? path.omit({ accountId: true }) : path
  return Boolean(body) || [beside, query].some((shape) => shape && Object.keys(shape.shape).length > 0)
}

/** Whether an operation belongs to an account, so that a token may be refused. */
export function isOfAccount({ path }: Operation['input']): boolean {
  return path !== undefined && 'accountId' in path.shape
}

/**
 * Every error that an operation may answer: those that it lists, and those of the checks before it (access, limits,
 * validation, idempotency). The first error of a status is the example in the documentation.
 */
export function errorsOf(operation: ErrorSource): readonly DefinedError[] {
  const { access, idempotency, input, foreignAccount = accountForbidden } = operation
  const needsToken = access === 'bearer'
  const ofAccount = needsToken && isOfAccount(input)
  return [
    ...(needsToken ? [unauthorized] : []),
    ...(ofAccount && foreignAccount === accountForbidden ? [accountForbidden] : []),
    rateLimitExceeded,
    ...(idempotency || takesInput(input) ? [badRequest] : []),
    ...(idempotency ? [idempotencyKeyReused, idempotencyKeysExhausted] : []),
    serverBusy,
    databaseDown,
    answerLate,
    ...operation.errors,
    ...(needsToken ? [scopeMissing] : []),
    ...(ofAccount && foreignAccount !== accountForbidden ? [foreignAccount] : []),
  ]
}

/** The status of an error of an operation. */
export function statusOf(error: DefinedError, { input }: { input: Operation['input'] }): ErrorStatus {
  return isAboutPath(error, input) ? 404 : statusOfKind(error.terms.kind)
}

/** The codes that an operation may answer with a status. */
export function codesOf(operation: ErrorSource, status: number): readonly string[] {
  const codes = errorsOf(operation)
    .filter((error) => statusOf(error, operation) === status)
    .flatMap(({ terms }) => terms.code ?? [])
  return [...new Set(codes)]
}
