// SPDX-License-Identifier: MIT
import { LeanIMT } from '@zk-kit/lean-imt'
import { hashTreeNode } from './note-hashes.ts'

const CIRCUIT_DEPTH = 32

/** A path in the form in which the circuits take it. */
export interface MerkleProof {
  root: bigint
  /** The path's direction bits without the levels at which the tree has no sibling: not the leaf's index. */
  index: bigint
  /** Exactly 32, the missing ones zero. */
  siblings: bigint[]
}

/** Hashes a whole tree: about 1.6 seconds for 10,000 leaves, once for all proofs that are taken from it. */
export function buildTree(leaves: readonly bigint[]): LeanIMT {
  return new LeanIMT(hashTreeNode, [...leaves])
}

/** @throws Error where the tree has no such leaf. */
export function proveMembership(tree: LeanIMT, leaf: bigint): MerkleProof {
  const leafIndex = tree.indexOf(leaf)
  if (leafIndex === -1) throw new Error(`${leaf} is not a leaf of this tree`)
  const { root, index, siblings } = tree.generateProof(leafIndex)
  const padding = Array.from({ length: CIRCUIT_DEPTH - siblings.length }, () => 0n)
  return { root, index: BigInt(index), siblings: [...siblings, ...padding] }
}
