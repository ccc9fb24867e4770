import { leafAt } from '../../../proving/merkle/append-leaves.ts'
import { EMPTY_TREE, type TreeFrontier } from '../../../proving/merkle/lean-imt.ts'
import { LEAF_BYTES } from '../../../proving/merkle/parse-leaves.ts'
import { MAX_HASHED_LEAVES, type ProvingPool } from '../../../proving/proving-pool.ts'

/** A list of labels as the provider published it: 32 bytes each. */
export interface LabelList {
  bytes: Uint8Array
  size: number
}

/** A tree of the list's first labels, with its root. */
export type Checkpoint = TreeFrontier & { root: bigint }

/**
 * Number of labels at the end of a list after each of which the root is checked. A provider lists labels before their
 * root is on chain.
 */
const AHEAD = 16

/** Makes a list of the labels from {@link ProvingPool.readLeaves}. */
export const labelListOf = (bytes: Uint8Array): LabelList => ({ bytes, size: bytes.length / LEAF_BYTES })

/** Returns some of the labels as decimal text. */
export function labelsOf(list: LabelList, from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, place) => String(leafAt(list.bytes, from + place)))
}

/**
 * Hashes the labels of a list in worker threads until they yield a root: about 0.2 ms each.
 *
 * @param start A tree of the first labels, which are not hashed again.
 * @returns The trees after every 128th label and, last, the one with the root; null if no part of the list has it.
 */
export async function verifyList(
  proving: ProvingPool,
  list: LabelList,
  wanted: bigint,
  start: TreeFrontier = EMPTY_TREE,
): Promise<Checkpoint[] | null> {
  const checkpoints: Checkpoint[] = []
  let tree = start
  while (tree.size < list.size) {
    const { size } = tree
    const to = Math.min(list.size, size + MAX_HASHED_LEAVES)
    const hashed = await proving.hashLeaves({
      frontier: tree.frontier,
      size,
      leaves: list.bytes.slice(size * LEAF_BYTES, to * LEAF_BYTES),
      watched: to === list.size ? AHEAD : Math.max(0, AHEAD - (list.size - to)),
      wanted,
    })
    tree = { frontier: hashed.frontier, size: hashed.size }
    checkpoints.push({ ...tree, root: hashed.root })
    if (hashed.isWanted) return checkpoints
  }
  return null
}
