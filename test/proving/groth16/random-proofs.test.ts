import { test } from 'vitest'
import { randomProofsStory } from '../../deep/random-proofs-story.ts'

test.each([
  ['withdraw', 200],
  ['commitment', 100],
] as const)('the verifier agrees with another library on random proofs of %s (%i cases)', (circuit, count) =>
  randomProofsStory(circuit, count),
)
