import { ProvingBusyError, ThreadLostError } from '../../../proving/proving-pool.ts'
import { TaskError } from '../../../proving/task-result.ts'
import { ServiceError } from '../../service-error.ts'
import { serverBusy } from '../../errors.ts'

/** Converts a missing answer of a chain or a thread to `unavailable`: the client may repeat the submission. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof ServiceError) return error
  const isBusy = error instanceof ProvingBusyError || error instanceof ThreadLostError
  if (!isBusy && !(error instanceof TaskError && error.code === 'unavailable')) return error
  return serverBusy('The chain cannot be asked now; try again in a moment', { cause: error })
}
