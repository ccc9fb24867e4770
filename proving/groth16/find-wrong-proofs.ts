import type { BatchCheck, RandomizedProof } from './check-batch.ts'
import type { CheckOne } from './check-one.ts'
import type { LoadedProof } from './load-proof.ts'

/** Below this a failed batch is settled faster one by one. */
const SINGLES_BELOW = 9
/** Halvings of a failed batch before its proofs are checked one by one: more would pay off for a lone wrong proof only. */
const MAX_HALVINGS = 2

/**
 * Returns the wrong proofs of a batch. One wrong proof costs a few more batch checks; all wrong, at most about three times
 * singles.
 */
export function findWrongProofs(
  batch: BatchCheck,
  checkOne: CheckOne,
  proofs: readonly LoadedProof[],
): Set<LoadedProof> {
  const wrong = new Set<LoadedProof>()

  /** Finds the wrong ones of a list that is known to have some. */
  function search(list: readonly RandomizedProof[], halvings: number): void {
    if (list.length < SINGLES_BELOW || halvings === MAX_HALVINGS) {
      for (const { proof } of list) if (!checkOne(proof)) wrong.add(proof)
      return
    }
    const left = list.slice(0, list.length >> 1)
    const right = list.slice(list.length >> 1)
    const leftIsRight = batch.areAllRight(left)
    if (!leftIsRight) search(left, halvings + 1)
    if (leftIsRight || !batch.areAllRight(right)) search(right, halvings + 1)
  }

  const randomized = batch.randomize(proofs)
  if (!batch.areAllRight(randomized)) search(randomized, 0)
  return wrong
}
