import { test } from 'vitest'
import { fieldDifferentialStory, proofDifferentialStory } from './snarkjs-differential-story.ts'

const HOURS = 3_600_000

test('the replaced field functions agree with ffjavascript on 100,000 random and hostile operands', () =>
  fieldDifferentialStory(100_000))

test.each([
  ['withdraw', 80_000],
  ['commitment', 20_000],
] as const)(
  'the fast verifier agrees with snarkjs on random and hostile proofs of %s (%i proofs)',
  (circuit, count) => proofDifferentialStory(circuit, count),
  3 * HOURS,
)
