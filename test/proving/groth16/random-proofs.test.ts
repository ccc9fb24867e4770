import { test } from 'vitest'
import { verifyRandomProofs } from '../../deep/verify-random-proofs.ts'

test.each([
  ['withdraw', 200],
  ['commitment', 100],
] as const)('random proofs of %s: %i cases judged as another library does', (circuit, count) =>
  verifyRandomProofs(circuit, count),
)
