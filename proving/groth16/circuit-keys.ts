import type { Circuit } from '../proving-pool.ts'
import commitment from './keys/commitment.json' with { type: 'json' }
import withdraw from './keys/withdraw.json' with { type: 'json' }
import type { VerificationKey } from './verification-key.ts'

/** The verification keys of the circuits, from which the pools' verifier contracts were generated. */
export const CIRCUIT_KEYS: Readonly<Record<Circuit, VerificationKey>> = { withdraw, commitment }
