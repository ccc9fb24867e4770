import { test } from 'vitest'
import { randomProofsStory } from './random-proofs-story.ts'

test.each([
  ['withdraw', 8_000],
  ['commitment', 2_000],
] as const)('the verifier agrees with another library on random proofs of %s (%i cases)', (circuit, count) =>
  randomProofsStory(circuit, count),
)
