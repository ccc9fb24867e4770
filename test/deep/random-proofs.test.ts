import { test } from 'vitest'
import { randomProofsStory } from './random-proofs-story.ts'

test.each([
  ['withdraw', 8_000],
  ['commitment', 2_000],
] as const)('random proofs of %s: %i cases judged as another library does', (circuit, count) =>
  randomProofsStory(circuit, count),
)
