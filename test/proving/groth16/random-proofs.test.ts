import { test } from 'vitest'
import { randomProofsStory } from '../../deep/random-proofs-story.ts'

test.each([
  ['withdraw', 100],
  ['commitment', 50],
] as const)('the verifier agrees with another library on random proofs of %s (%i cases)', (circuit, count) =>
  randomProofsStory(circuit, count),
)
