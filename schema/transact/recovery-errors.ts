import { noteSpent } from '../../relayer/transact/errors.ts'
import {
  alreadyRecovered,
  depositNotFound,
  invalidRecoveryProof,
  publicLink,
  recoverMismatch,
  recoveryUnderWay,
} from '../../relayer/transact/kinds/pool-recover/errors.ts'

/** Why a note cannot be taken back, when it is first asked for and when its quote is refreshed. */
export const RECOVERY_ERRORS = [
  depositNotFound,
  alreadyRecovered,
  recoverMismatch,
  noteSpent,
  publicLink,
  invalidRecoveryProof,
  recoveryUnderWay,
] as const
