import { setImmediate as nextTurn } from 'node:timers/promises'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { hexToBytes, type Hex } from 'viem'
import type { RawLog } from './raw-block.ts'

const BLOOM_BYTES = 256
const LOGS_PER_TURN = 100
/** Contracts and kinds of event repeat. */
const MAX_REMEMBERED = 20_000
const remembered = new Map<Hex, readonly number[]>()

/** The three bits of a bloom that a value sets (Yellow Paper 4.3.1), as places in its 2048 bits. */
function bitsOf(value: Hex): readonly number[] {
  const known = remembered.get(value)
  if (known) return known
  const hash = keccak_256(hexToBytes(value))
  const bits = [0, 2, 4].map((at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2_047)
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(value, bits)
  return bits
}

/**
 * True if the logs explain every bit of a block's bloom: otherwise some are missing. Logs that some chains add without a
 * trace in the bloom do no harm. Yields to other work at intervals.
 */
export async function logsFillBloom(bloom: Hex, logs: readonly RawLog[]): Promise<boolean> {
  const left = hexToBytes(bloom)
  if (left.length !== BLOOM_BYTES) return false
  const clear = (value: Hex) => {
    for (const bit of bitsOf(value)) {
      const at = BLOOM_BYTES - 1 - (bit >> 3)
      left[at] = (left[at] ?? 0) & ~(1 << (bit & 7))
    }
  }
  for (const [index, { address, topics }] of logs.entries()) {
    if (index % LOGS_PER_TURN === LOGS_PER_TURN - 1) await nextTurn()
    clear(address)
    for (const topic of topics) clear(topic)
  }
  return left.every((byte) => byte === 0)
}
