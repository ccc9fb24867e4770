import { groth16 } from 'snarkjs'
import type { Prover, ProofWithSignals } from 'stealth-relay/client/pool'
import { WASM, ZKEY } from 'virtual:commitment-circuit'

/** snarkjs takes them, and its types do not have them. */
type ProveAlone = (...given: unknown[]) => Promise<ProofWithSignals>

/**
 * Proves that notes are one's own, with the circuit that comes with this program. It takes a second and no worker, which a
 * page from a file could not start.
 */
export const commitmentProver: Prover = {
  prove: (_, input) =>
    (groth16.fullProve as unknown as ProveAlone)(input, decode(WASM), decode(ZKEY), undefined, undefined, {
      singleThread: true,
    }),
}

const decode = (text: string) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0))
