import { poseidon1 } from 'poseidon-lite/poseidon1'
import { poseidon2 } from 'poseidon-lite/poseidon2'
import { poseidon3 } from 'poseidon-lite/poseidon3'

/** What a client shows when it deposits: H(nullifier, secret). */
export function hashPrecommitment(nullifier: bigint, secret: bigint): bigint {
  return poseidon2([nullifier, secret])
}

/** The leaf of the state tree: H(value, label, precommitment); `value` in the asset's smallest unit. */
export function hashCommitment(value: bigint, label: bigint, precommitment: bigint): bigint {
  return poseidon3([value, label, precommitment])
}

/** What a spent note shows: H(nullifier). */
export function hashNullifier(nullifier: bigint): bigint {
  return poseidon1([nullifier])
}

/** A node of the state and ASP trees: H(left, right). */
export function hashTreeNode(left: bigint, right: bigint): bigint {
  return poseidon2([left, right])
}
