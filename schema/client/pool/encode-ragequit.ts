// SPDX-License-Identifier: MIT
import { ragequitAbi } from '../chain/abis.ts'
import { encodeFunctionData, type Hex } from 'viem'
import type { Note } from './note.ts'
import type { Prover, ProofWithSignals } from './prover.ts'
import { commitmentInput } from './withdraw-input.ts'

type Pair = readonly [bigint, bigint]

/** Calldata of a pool's `ragequit` with a proof of the circuit `commitment`: in B the coordinates change places. */
export function encodeRagequit({ proof, publicSignals }: ProofWithSignals): Hex {
  const pairOf = (numbers: readonly string[] = []): Pair => [BigInt(numbers[0] ?? 0), BigInt(numbers[1] ?? 0)]
  const swapped = (place: number) => pairOf(proof.pi_b[place]?.slice(0, 2).toReversed())
  const [commitment, nullifierHash, value, label] = publicSignals.map(BigInt)
  const proven = {
    pA: pairOf(proof.pi_a),
    pB: [swapped(0), swapped(1)] as const,
    pC: pairOf(proof.pi_c),
    pubSignals: [commitment ?? 0n, nullifierHash ?? 0n, value ?? 0n, label ?? 0n] as const,
  }
  return encodeFunctionData({ abi: ragequitAbi, functionName: 'ragequit', args: [proven] })
}

/** The same for a note, with a proof of its own. @throws Error where no proof can be made. */
export const proveRagequit = async (prover: Prover, note: Note): Promise<Hex> =>
  encodeRagequit(await prover.prove('commitment', commitmentInput(note)))
