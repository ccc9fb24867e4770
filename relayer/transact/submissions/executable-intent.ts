import type { Address, Hex } from 'viem'
import { bytesOf } from '../../chain/broadcast/sign-attempt.ts'
import { encodeBatch } from '../intents/encode-batch.ts'

/** A signed intent in the form that is executed. */
export interface ExecutableIntent {
  eoa: Address
  intentNonce: bigint
  /** abi.encode(Intent). */
  encoded: Hex
  delegation: { contractAddress: Address; authorizationNonce: number } | null
}

/** Returns the bytes of the transaction that executes them, without the sender's signature. */
export const batchBytes = (intents: readonly Pick<ExecutableIntent, 'encoded' | 'delegation'>[]): number =>
  bytesOf({
    data: encodeBatch(intents.map(({ encoded }) => encoded)),
    authorizations: intents.flatMap(({ delegation }) => delegation ?? []),
  })
