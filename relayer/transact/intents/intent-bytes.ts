import { bytesOf } from '../../chain/broadcast/sign-attempt.ts'
import { encodeBatch } from './encode-batch.ts'
import { encodeIntent } from './encode-intent.ts'
import type { Intent } from './intent.ts'
import { NOBODYS_SIGNATURE } from './simulate-intent.ts'

/**
 * Returns the bytes of a transaction that executes one intent alone, without the sender's signature. The
 * intent counts as signed, with signatures of 65 bytes.
 */
export const intentBytes = (intent: Intent, withDelegation: boolean): number =>
  bytesOf({
    data: encodeBatch([encodeIntent({ ...intent, signature: NOBODYS_SIGNATURE })]),
    authorizations: withDelegation ? [{}] : [],
  })
