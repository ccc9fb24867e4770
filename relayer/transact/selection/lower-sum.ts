import { randomBytes } from 'node:crypto'
import { bytesToBigInt } from 'viem'
import type { Input, Selection } from './select-funds.ts'

/** Less than so much of an amount, as its reciprocal, stays where it is: wallets accept a twentieth, rounding included. */
const MOST = 21n
const RANDOM_BYTES = 8

/**
 * At random less than an amount that several addresses pay apart, smallest unit: at least 1, less than a twentieth. Their
 * payments are public, and would add up to the amount that a user typed.
 * @param random Bytes of a source that nobody foresees.
 */
export function drawRest(amount: bigint, random: (size: number) => Uint8Array = randomBytes): bigint {
  const most = amount / MOST
  return 1n + ((most > 0n ? most - 1n : 0n) * bytesToBigInt(random(RANDOM_BYTES))) / (1n << 64n)
}

/**
 * Lets one of the inputs pay `by` less: the last, which keeps the change, or the largest where the last would contribute less
 * than `leastEach`. Null where both would.
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
