import { appendLeaf, rootOf, type TreeFrontier } from './lean-imt.ts'
import { LEAF_BYTES } from './parse-leaves.ts'

/** Leaves to append to a tree. */
export interface HashLeavesJob extends TreeFrontier {
  /** 32 bytes each, big-endian; at most 128 leaves, some 0.3 ms each. */
  leaves: Uint8Array
  /** Number of last leaves after each of which the root is compared with `wanted`; after the very last leaf it always is. */
  watched: number
  wanted: bigint
}

/** The tree after all leaves, or after the first watched one with the wanted root. */
export interface HashedLeaves extends TreeFrontier {
  root: bigint
  isWanted: boolean
}

/** Appends leaves to a LeanIMT of Poseidon(2). */
export function appendLeaves({ leaves, watched, wanted, ...start }: HashLeavesJob): HashedLeaves {
  const count = leaves.length / LEAF_BYTES
  let tree: TreeFrontier = start
  for (let place = 0; place < count; place += 1) {
    tree = appendLeaf(tree, leafAt(leaves, place))
    if (place < count - Math.max(1, watched)) continue
    const root = rootOf(tree)
    if (root === wanted || place === count - 1) return { ...tree, root, isWanted: root === wanted }
  }
  const root = rootOf(tree)
  return { ...tree, root, isWanted: root === wanted }
}

/** Reads one leaf of {@link HashLeavesJob.leaves}. */
export function leafAt(leaves: Uint8Array, place: number): bigint {
  const { buffer, byteOffset } = leaves
  return BigInt(`0x${Buffer.from(buffer, byteOffset + place * LEAF_BYTES, LEAF_BYTES).toString('hex')}`)
}
