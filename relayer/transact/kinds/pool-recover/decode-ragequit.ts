import { decodeFunctionData, encodeFunctionData, size, type Hex } from 'viem'
import type { Groth16Proof } from '../../../../proving/proving-pool.ts'
import { ragequitAbi } from '../../../chain/contracts/privacy-pools.ts'
import { recoverCalldataInvalid } from './errors.ts'

/** Selector, proof (8 words) and public signals (4 words). */
const BYTES = 4 + 12 * 32

/** A proof of a note and its public signals, those of the circuit `commitment`. */
export interface Ragequit {
  commitment: bigint
  nullifierHash: bigint
  /** Value of the note, in the asset's smallest unit. */
  value: bigint
  /** Label of the note's deposit. */
  label: bigint
  proof: Groth16Proof
  publicSignals: readonly string[]
}

/**
 * Decodes the calldata of a pool's `ragequit`. The contract has B's coordinates in the reverse order of the proof
 * (EIP-197). The verifier checks whether the numbers are elements of the field.
 * @throws ServiceError `bad-request` RECOVER_CALLDATA_INVALID unless it is this call and nothing else.
 */
export function decodeRagequit(calldata: Hex): Ragequit {
  if (size(calldata) !== BYTES) throw recoverCalldataInvalid()
  const [{ pA, pB, pC, pubSignals }] = decodeCall(calldata)
  const [commitment, nullifierHash, value, label] = pubSignals
  return {
    commitment,
    nullifierHash,
    value,
    label,
    proof: {
      pi_a: [...pA.map(String), '1'],
      pi_b: [...pB.map((pair) => pair.toReversed().map(String)), ['1', '0']],
      pi_c: [...pC.map(String), '1'],
      protocol: 'groth16',
      curve: 'bn128',
    },
    publicSignals: pubSignals.map(String),
  }
}

function decodeCall(data: Hex) {
  try {
    const { args } = decodeFunctionData({ abi: ragequitAbi, data })
    const again = encodeFunctionData({ abi: ragequitAbi, functionName: 'ragequit', args })
    if (again === data.toLowerCase()) return args
  } catch (cause) {
    throw recoverCalldataInvalid({ cause })
  }
  throw recoverCalldataInvalid()
}
