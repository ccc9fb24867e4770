import { poseidon2 } from 'poseidon-lite/poseidon2'

/** The state from which a LeanIMT of Poseidon(2) can grow. */
export interface TreeFrontier {
  /** Roots of the complete subtrees, the largest first: as many as there are 1-bits in the size. */
  frontier: readonly bigint[]
  /** Leaves. */
  size: number
}

/** The frontier of the tree without leaves. */
export const EMPTY_TREE: TreeFrontier = { frontier: [], size: 0 }

/**
 * Computes the root of a tree. A node without a right sibling moves up unchanged, so the complete subtrees are joined from
 * the smallest on. The tree without leaves has the root 0, as in the contracts.
 */
export function rootOf({ frontier }: TreeFrontier): bigint {
  const smallest = frontier.at(-1)
  if (smallest === undefined) return 0n
  return frontier.slice(0, -1).reduceRight((right, left) => poseidon2([left, right]), smallest)
}

/** Returns the frontier after one more leaf, at one hash on average. */
export function appendLeaf({ frontier, size }: TreeFrontier, leaf: bigint): TreeFrontier {
  const subtrees = [...frontier]
  let node = leaf
  // Each trailing 1-bit of the size is a complete subtree that the new one joins.
  for (let left = size; left % 2 === 1; left = Math.floor(left / 2))
    node = poseidon2([subtrees.pop() ?? 0n, node])
  return { frontier: [...subtrees, node], size: size + 1 }
}
