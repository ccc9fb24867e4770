import { expect } from 'vitest'
import type { LinkScore } from './link-acts.ts'

/** What a linker may gain over permuted accounts, in points. */
const POINTS = 3
/** So many standard deviations of the score of permuted accounts are chance: one of 700 is above them. */
const DEVIATIONS = 3

/**
 * No method links better than among permuted accounts, but for three points. With few acts the score of permuted accounts scatters
 * by more, where acts differ by chance, as in signers: then three standard deviations of it are allowed. What all acts have in
 * common, as fees, gas limits and expiries mostly, scatters by nothing, so that three points are the bound.
 * @param hours How often a full hour passed by which such marks change: each makes two classes of one.
 */
export function expectChance(name: string, scores: readonly LinkScore[], hours: number): void {
  expect(scores.length, name).toBeGreaterThan(10)
  const found = scores
    .filter(
      ({ percent, chance, noise }) => percent > chance * (1 + hours) + Math.max(POINTS, DEVIATIONS * noise),
    )
    .map(({ method, percent, chance }) => `${method}: ${percent.toFixed(1)} %, chance ${chance.toFixed(1)} %`)
  expect(found, name).toEqual([])
}
