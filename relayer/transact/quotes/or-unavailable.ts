import { refuseSilence } from '../errors.ts'
import { BaseError } from 'viem'
import { ProvingBusyError, ThreadLostError } from '../../../proving/proving-pool.ts'
import { TaskError } from '../../../proving/task-result.ts'
import { serverBusy } from '../../errors.ts'

/** Waits for work that needs threads and nodes; without their answer, the client may try again later. */
export async function orUnavailable<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (cause) {
    if (cause instanceof ProvingBusyError || cause instanceof ThreadLostError)
      throw serverBusy('The service is busy. Try again later.', { cause })
    // These requests are always well formed: a node that refuses one lags behind or is faulty.
    const isSilence =
      cause instanceof BaseError || (cause instanceof TaskError && cause.code === 'unavailable')
    if (!isSilence) throw cause
    return refuseSilence(cause)
  }
}
