import { randomInt } from 'node:crypto'
import type { UncheckedProof } from './groth16/groth16-verifier.ts'
import type { ProvingLogger } from './proving-logger.ts'
import type { Circuit, ProvingStats, VerifyOutcome } from './proving-pool.ts'

/** Options of a cross-check. */
export interface CrossCheckOptions {
  /** About one proof in this many is verified again; 0 for none. */
  oneIn: number
  /** Verifies one proof by snarkjs. */
  verifyAgain: (circuit: Circuit, proof: UncheckedProof) => Promise<VerifyOutcome>
  logger: ProvingLogger
}

/** Verifies a sample of the proofs by snarkjs as well. If the two verifiers disagree, snarkjs decides. */
export class CrossCheck {
  readonly totals: ProvingStats['crossChecks'] = { agreed: 0, disagreed: 0, failed: 0 }
  readonly #options: CrossCheckOptions

  constructor(options: CrossCheckOptions) {
    this.#options = options
  }

  /** Returns the outcome to be used: that of snarkjs if the proof is among the sample. Never rejects. */
  confirm(
    circuit: Circuit,
    proof: UncheckedProof,
    outcome: VerifyOutcome,
  ): VerifyOutcome | Promise<VerifyOutcome> {
    const { oneIn } = this.#options
    // Random, because a client must not know which of its proofs are in the sample.
    return oneIn > 0 && randomInt(oneIn) === 0 ? this.#compare(circuit, proof, outcome) : outcome
  }

  async #compare(circuit: Circuit, proof: UncheckedProof, fast: VerifyOutcome): Promise<VerifyOutcome> {
    const { verifyAgain, logger } = this.#options
    try {
      const snarkjs = await verifyAgain(circuit, proof)
      if (snarkjs.valid === fast.valid) {
        this.totals.agreed += 1
        return fast
      }
      this.totals.disagreed += 1
      logger.error({ circuit, fast, snarkjs }, 'the fast verifier and snarkjs disagree about a proof')
      return snarkjs
    } catch (error) {
      this.totals.failed += 1
      logger.warn({ error, circuit }, 'a proof could not be verified by snarkjs as well')
      return fast
    }
  }
}
