import { noteSpent } from '../../relayer/transact/errors.ts'
import {
  alreadyRecovered,
  depositNotFound,
  invalidRecoveryProof,
  publicLink,
  recoverMismatch,
  recoveryUnderWay,
} from '../../relayer/transact/kinds/pool-recover/errors.ts'

/** Reasons why a note cannot be recovered, at the first request and when its quote is refreshed. */
export const RECOVERY_ERRORS = [
  depositNotFound,
  alreadyRecovered,
  recoverMismatch,
  noteSpent,
  publicLink,
  invalidRecoveryProof,
  recoveryUnderWay,
] as const
