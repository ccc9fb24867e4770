// SPDX-License-Identifier: MIT
import type { CircuitInput } from './withdraw-input.ts'

/** The circuits of Privacy Pools v1: `withdraw` spends a note in private, `commitment` proves in the open that one owns it. */
export type Circuit = 'withdraw' | 'commitment'

/** A Groth16 proof as snarkjs makes it. */
export interface Groth16Proof {
  pi_a: string[]
  pi_b: string[][]
  pi_c: string[]
  protocol: string
  curve: string
}

/** A proof with its public signals, as the relayer takes both. */
export interface ProofWithSignals {
  proof: Groth16Proof
  publicSignals: string[]
}

/** Makes proofs. A withdrawal takes seconds and hundreds of megabytes: run it in a worker. */
export interface Prover {
  /** @throws Error where the input does not satisfy the circuit. */
  prove(circuit: Circuit, input: CircuitInput): Promise<ProofWithSignals>
}

/** The part of snarkjs that proves: `import * as snarkjs from 'snarkjs'`. */
export interface SnarkJs {
  groth16: {
    fullProve(
      input: CircuitInput,
      wasm: CircuitFile,
      zkey: CircuitFile,
      logger?: undefined,
      wtnsCalcOptions?: undefined,
      proverOptions?: { singleThread?: boolean },
    ): Promise<ProofWithSignals>
  }
}

/** A path, a URL, or the bytes of a circuit's file. */
export type CircuitFile = string | Uint8Array

/** The two files of a circuit. */
export interface CircuitBytes {
  wasm: CircuitFile
  zkey: CircuitFile
}
/** The files of each circuit, or how to load them: see `fetchCircuits` and its hashes. */
export type CircuitFiles =
  | Readonly<Record<Circuit, CircuitBytes>>
  | ((circuit: Circuit) => Promise<CircuitBytes>)

/**
 * A prover of snarkjs, which the wallet brings: the package does not depend on it. In a browser it is one thread unless
 * `singleThread` is false: snarkjs makes its threads from blobs, and waits for ever where the page's policy refuses them.
 */
export function createProver(
  { groth16 }: SnarkJs,
  files: CircuitFiles,
  { singleThread = isBrowser() }: { singleThread?: boolean } = {},
): Prover {
  return {
    async prove(circuit, input) {
      const { wasm, zkey } = typeof files === 'function' ? await files(circuit) : files[circuit]
      return groth16.fullProve(input, wasm, zkey, undefined, undefined, { singleThread })
    },
  }
}

const isBrowser = () => 'WorkerGlobalScope' in globalThis || 'document' in globalThis
