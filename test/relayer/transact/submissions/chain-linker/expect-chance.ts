import { expect } from 'vitest'
import type { LinkScore } from './link-acts.ts'

/** What a linker may gain over permuted accounts, in points. */
const POINTS = 3

/**
 * No method links better than among permuted accounts. With few acts the same score of permuted accounts scatters by more than
 * three points: then four standard deviations of that are allowed. So what remains of rounded fees and gas, a weight of some 10 %
 * where chance is 2 %, passes here (SECURITY.md).
 */
export function expectChance(name: string, scores: readonly LinkScore[]): void {
  expect(scores.length, name).toBeGreaterThan(10)
  const found = scores
    .filter(({ percent, chance, noise }) => percent > chance + Math.max(POINTS, 4 * noise))
    .map(({ method, percent, chance }) => `${method}: ${percent.toFixed(1)} %, chance ${chance.toFixed(1)} %`)
  expect(found, name).toEqual([])
}
