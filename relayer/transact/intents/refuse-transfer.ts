import type { RevertReason } from '../../../proving/simulate-job.ts'
import { simulationFailed } from '../../chain/errors.ts'
import type { ServiceError } from '../../service-error.ts'
import { describeRevert } from './describe-revert.ts'

/**
 * Creates the error for a transfer that the chain would refuse. It quotes a contract's text, which may name anybody.
 */
export function refuseTransfer(revert: RevertReason): ServiceError {
  return simulationFailed(`The chain would refuse this transfer: ${describeRevert(revert)}`)
}
