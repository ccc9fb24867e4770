import { encodeFunctionData, type Hex } from 'viem'
import { ragequitAbi } from '../../relayer/chain/contracts/privacy-pools.ts'
import type { Note } from '../../relayer/devnet/wallet/note.ts'
import type { Prover, ProofWithSignals } from '../../relayer/devnet/wallet/prover.ts'
import { commitmentInput } from '../../relayer/devnet/wallet/withdraw-input.ts'

type Pair = readonly [bigint, bigint]

/** Calldata of a pool's `ragequit` with a proof as snarkjs gives it: B's coordinates change places. */
export function encodeRagequit({ proof, publicSignals }: ProofWithSignals): Hex {
  const pairOf = (numbers: readonly string[] = []): Pair => [BigInt(numbers[0]!), BigInt(numbers[1]!)]
  const pubSignals = publicSignals.map(BigInt) as unknown as readonly [bigint, bigint, bigint, bigint]
  const [first, second] = proof.pi_b.map((pair) => pairOf(pair.slice(0, 2).toReversed()))
  const proven = {
    pA: pairOf(proof.pi_a),
    pB: [first!, second!] as const,
    pC: pairOf(proof.pi_c),
    pubSignals,
  }
  return encodeFunctionData({ abi: ragequitAbi, functionName: 'ragequit', args: [proven] })
}

/** The same for a note, with a proof of its own. */
export const proveRagequit = async (prover: Prover, note: Note): Promise<Hex> =>
  encodeRagequit(await prover.prove('commitment', commitmentInput(note)))
