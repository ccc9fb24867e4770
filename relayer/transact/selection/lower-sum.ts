import { randomBytes } from 'node:crypto'
import { bytesToBigInt } from 'viem'
import type { Input, Selection } from './select-funds.ts'

/** Largest rest, as one part in so many of the amount: wallets accept a twentieth, rounding included. */
const MOST = 21n
const RANDOM_BYTES = 8

/**
 * Draws a random rest by which several addresses that pay apart lower their sum, smallest unit: at least 1, less than a
 * twentieth. Their payments are public, and would otherwise add up to the amount that the user typed.
 * @param random Unpredictable random bytes.
 */
export function drawRest(amount: bigint, random: (size: number) => Uint8Array = randomBytes): bigint {
  const most = amount / MOST
  return 1n + ((most > 0n ? most - 1n : 0n) * bytesToBigInt(random(RANDOM_BYTES))) / (1n << 64n)
}

/**
 * Lowers one input by `by`: the last, which keeps the change, or the largest if the last would contribute less than
 * `leastEach`. Null if both would.
 */
export function lowerSum({ inputs, dust }: Selection, by: bigint, leastEach: bigint): Selection | null {
  const contributed = ({ taken, cost }: Input) => taken - cost
  const canGive = (input: Input) => contributed(input) - by >= leastEach
  const last = inputs.at(-1)
  const largest = inputs.reduce((most, input) => (contributed(input) > contributed(most) ? input : most))
  const giving = last && canGive(last) ? last : largest
  if (!canGive(giving)) return null
  const change = giving.free - giving.taken + by
  return {
    inputs: inputs.map((input) => (input === giving ? { ...input, taken: input.taken - by } : input)),
    dust:
      giving === last ? (change < giving.cost ? change : 0n) : dust + (change < giving.cost ? change : 0n),
  }
}
