import { test } from 'vitest'
import { randomProofsStory } from '../../deep/random-proofs-story.ts'

test.each([
  ['withdraw', 200],
  ['commitment', 100],
] as const)('random proofs of %s: %i cases judged as another library does', (circuit, count) =>
  randomProofsStory(circuit, count),
)
