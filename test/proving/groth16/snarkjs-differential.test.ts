import { test } from 'vitest'
import { fieldDifferentialStory, proofDifferentialStory } from '../../deep/snarkjs-differential-story.ts'

test('the replaced field functions agree with ffjavascript on random and hostile operands', () =>
  fieldDifferentialStory(2_000))

test.each([
  ['withdraw', 75],
  ['commitment', 25],
] as const)(
  'the fast verifier agrees with snarkjs on random and hostile proofs of %s (%i proofs)',
  (circuit, count) => proofDifferentialStory(circuit, count),
)
