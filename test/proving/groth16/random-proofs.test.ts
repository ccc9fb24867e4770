import { test } from 'vitest'
import { randomProofsStory } from '../../deep/random-proofs-story.ts'

test.each([
  ['withdraw', 40],
  ['commitment', 20],
] as const)('the verifier agrees with another library on random proofs of %s (%i cases)', (circuit, count) =>
  randomProofsStory(circuit, count),
)
