import { poseidon1 } from 'poseidon-lite/poseidon1'
import { poseidon2 } from 'poseidon-lite/poseidon2'
import { poseidon3 } from 'poseidon-lite/poseidon3'

/** Computes the hash that a client shows in a deposit: H(nullifier, secret). */
export function hashPrecommitment(nullifier: bigint, secret: bigint): bigint {
  return poseidon2([nullifier, secret])
}

/** Computes the leaf of the state tree: H(value, label, precommitment); `value` in the asset's smallest unit. */
export function hashCommitment(value: bigint, label: bigint, precommitment: bigint): bigint {
  return poseidon3([value, label, precommitment])
}

/** Computes the hash that a spent note shows: H(nullifier). */
export function hashNullifier(nullifier: bigint): bigint {
  return poseidon1([nullifier])
}

/** Computes a node of the state and ASP trees: H(left, right). */
export function hashTreeNode(left: bigint, right: bigint): bigint {
  return poseidon2([left, right])
}
