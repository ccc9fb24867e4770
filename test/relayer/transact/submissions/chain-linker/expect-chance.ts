import { expect } from 'vitest'
import type { LinkScore } from './link-acts.ts'

/** A linker's allowed gain over permuted accounts, in points. */
const POINTS = 3
/** This many standard deviations of the score of permuted accounts are chance: one of 700 is above them. */
const DEVIATIONS = 3

/**
 * Expects that no method links better than among permuted accounts, within three points. With few acts the score of
 * permuted accounts scatters more where acts differ by chance, as in signers. Then three of its standard deviations are
 * allowed. Marks common to all acts, mostly fees, gas limits and expiries, do not scatter: three points are the bound.
 * @param hours How often a full hour passed that changes such marks: each makes two classes of one.
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
