import { expect, test } from 'vitest'
import { walkEngine } from './walk-engine.ts'

/** Pseudo-random numbers; the same in every run. */
function sequence(seed: number): (options: number) => number {
  let state = seed
  return (options) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 16) % options
  }
}

test.each([1, 2, 3])('the engine goes where the machine says, on walk %i', async (seed) => {
  const told = await walkEngine(sequence(seed), 8)
  expect(told.at(-1)).toBe('its block is final: confirmed')
})
