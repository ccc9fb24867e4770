import { randomBytes } from 'node:crypto'
import { bytesToBigInt } from 'viem'
import { isMultichainNonce } from './intent.ts'

const KEY_BYTES = 24

/**
 * Creates a fresh nonce: a random sequence key (192 bits) with sequence 0, so that intents of one account
 * need no order. Keys that would sign without a chain id are drawn again.
 */
export function createIntentNonce(random: (size: number) => Uint8Array = randomBytes): bigint {
  for (;;) {
    const intentNonce = bytesToBigInt(random(KEY_BYTES)) << 64n
    if (!isMultichainNonce(intentNonce)) return intentNonce
  }
}
