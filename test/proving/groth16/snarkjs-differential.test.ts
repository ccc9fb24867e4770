import { test } from 'vitest'
import { fieldDifferentialStory, proofDifferentialStory } from '../../deep/snarkjs-differential-story.ts'

test('the replaced field functions agree with ffjavascript on random and hostile operands', () =>
  fieldDifferentialStory(800))

test.each([
  ['withdraw', 30],
  ['commitment', 15],
] as const)(
  'the fast verifier agrees with snarkjs on random and hostile proofs of %s (%i proofs)',
  (circuit, count) => proofDifferentialStory(circuit, count),
)
