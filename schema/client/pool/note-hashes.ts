// SPDX-License-Identifier: MIT
import { poseidon1 } from 'poseidon-lite/poseidon1'
import { poseidon2 } from 'poseidon-lite/poseidon2'
import { poseidon3 } from 'poseidon-lite/poseidon3'

/** Order of the scalar field of BN254, of which all secrets and hashes of notes are elements. */
export const FIELD_ORDER = 21888242871839275222246405745257275088548364400416034343698204186575808495617n

/** The hash that a deposit shows: H(nullifier, secret). */
export const hashPrecommitment = (nullifier: bigint, secret: bigint): bigint => poseidon2([nullifier, secret])

/** The leaf of the state tree: H(value, label, precommitment); `value` in the asset's smallest unit. */
export const hashCommitment = (value: bigint, label: bigint, precommitment: bigint): bigint =>
  poseidon3([value, label, precommitment])

/** The hash that a spent note shows: H(nullifier). */
export const hashNullifier = (nullifier: bigint): bigint => poseidon1([nullifier])

/** A node of the state and ASP trees: H(left, right). */
export const hashTreeNode = (left: bigint, right: bigint): bigint => poseidon2([left, right])
