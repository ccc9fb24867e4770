import { numberToHex } from 'viem'
import type { Candidate } from '../../../../relayer/transact/quotes/select-funds.ts'

/** Pseudo-random numbers, the same in every run (mulberry32). */
export function createDice(seed: number) {
  let state = seed
  /** An integer from 0 to `end` - 1. */
  return (end: bigint): bigint => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return BigInt((mixed ^ (mixed >>> 14)) >>> 0) % end
  }
}

export type Dice = ReturnType<typeof createDice>

/** Up to 40 addresses with amounts of very different sizes; some are dust, some are worth less than their own fee. */
export function rollWallet(dice: Dice, groups: readonly (string | null)[] = [null]): Candidate[] {
  const size = Number(dice(40n)) + 1
  const [first, later] = [10n + dice(200n), 1n + dice(100n)]
  return Array.from({ length: size }, (_, index) => ({
    address: numberToHex(index + 1, { size: 20 }),
    derivationNonce: index,
    free: dice(10n ** (1n + dice(7n))),
    cost: dice(2n) === 0n ? first : later,
    group: groups[Number(dice(BigInt(groups.length)))] ?? null,
  }))
}
