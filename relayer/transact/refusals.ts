import type { RevertReason } from '../../proving/proving-pool.ts'
import { ServiceError } from '../service-error.ts'
import { describeRevert } from './intents/describe-revert.ts'

/** A transfer that the chain would refuse. The words of a contract are quoted as its own: they may name anybody. */
export function refuseTransfer(revert: RevertReason): ServiceError {
  return new ServiceError('bad-request', `The chain would refuse this transfer: ${describeRevert(revert)}`, {
    code: 'SIMULATION_FAILED',
  })
}

export const lockConflict = () =>
  new ServiceError('conflict', 'The funds are locked by other quotes: unlock one, or wait for it to end', {
    code: 'QUOTE_LOCK_CONFLICT',
    retryable: true,
  })

export const unknownQuote = () => new ServiceError('not-found', 'There is no such quote')

export const badRequest = (message: string, code = 'BAD_REQUEST', details: Record<string, unknown> = {}) =>
  new ServiceError('bad-request', message, { code, details })
