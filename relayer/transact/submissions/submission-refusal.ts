import { ProvingBusyError, ThreadLostError } from '../../../proving/proving-pool.ts'
import { TaskError } from '../../../proving/task-result.ts'
import { ServiceError } from '../../service-error.ts'

export type SubmissionRefusal =
  | 'QUOTE_EXPIRED'
  | 'QUOTE_REFRESH_REQUIRED'
  | 'QUOTE_MISMATCH'
  | 'INVALID_SIGNATURE'
  | 'AUTHORIZATION_NONCE_STALE'
  | 'SIMULATION_FAILED'

/** Why a submission is not accepted: nothing was sent, and the quote is as it was. */
export function refusal(code: SubmissionRefusal, message: string): ServiceError {
  return new ServiceError('bad-request', message, { code })
}

/** A chain, or a thread, has no answer now: the same submission may come again. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof ServiceError) return error
  const isBusy = error instanceof ProvingBusyError || error instanceof ThreadLostError
  if (!isBusy && !(error instanceof TaskError && error.code === 'unavailable')) return error
  return new ServiceError('unavailable', 'The chain cannot be asked now; try again in a moment', {
    code: 'SERVER_BUSY',
    cause: error,
  })
}
