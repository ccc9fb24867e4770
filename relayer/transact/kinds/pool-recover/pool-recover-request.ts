import type { Hex } from 'viem'
import type { RequestBase } from '../quote-kind.ts'

/** What a wallet wants to take back in the open. */
export interface PoolRecoverRequest extends RequestBase {
  kind: 'pool_recover'
  /** The deposit's label, for a change note with `-` and its withdrawalIndex, as `pool/commitments` names it. */
  commitmentId: string
  /** The pool's `ragequit(proof)`. */
  recoverCalldata: Hex
  /** The user accepts that earlier withdrawals of the deposit become public as the depositor's. */
  acknowledgedPublicLink: boolean
}
