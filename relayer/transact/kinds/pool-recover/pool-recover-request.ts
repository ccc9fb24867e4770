import type { Hex } from 'viem'
import type { RequestBase } from '../quote-kind.ts'

/** Request to take a note back in public. */
export interface PoolRecoverRequest extends RequestBase {
  kind: 'pool_recover'
  /** The deposit's label; for a change note followed by `-` and its withdrawalIndex, as in `pool/commitments`. */
  commitmentId: string
  /** The pool's `ragequit(proof)`. */
  recoverCalldata: Hex
  /** The user accepts that earlier withdrawals of the deposit become public as the depositor's. */
  acknowledgedPublicLink: boolean
}
