import type { Operation } from '../define/operation.ts'
import { FAILURES, type FailureCode } from '../define/failure-codes.ts'

const STATUSES = new Map<FailureCode, number>(FAILURES.map(([code, status]) => [code, status]))

/** The status that a code comes with; what a path names and is not there is a 404. */
export function statusOf(code: FailureCode, { input }: Pick<Operation, 'input'>): number {
  if (code === 'CHAIN_NOT_SUPPORTED' && input.path && 'chainId' in input.path.shape) return 404
  return STATUSES.get(code) ?? 500
}

/** What the errors of an operation with a status may name as their code: its own codes, and those that any may answer. */
export function codesOf(operation: Operation, status: number): readonly FailureCode[] {
  if (operation.errorShape === 'oauth' && (status === 400 || status === 401)) return []
  const own = (operation.codes ?? []).filter((code) => statusOf(code, operation) === status)
  return [...commonCodes(operation, status), ...own]
}

function commonCodes({ idempotency }: Operation, status: number): FailureCode[] {
  if (status === 400) return idempotency ? ['BAD_REQUEST', 'IDEMPOTENCY_KEY_REUSED'] : ['BAD_REQUEST']
  if (status === 401) return ['UNAUTHORIZED']
  if (status === 429) return idempotency ? ['IDEMPOTENCY_KEYS_EXHAUSTED'] : []
  if (status === 451) return ['ADDRESS_NOT_SERVED']
  return status === 503 ? ['SERVER_BUSY'] : []
}
