import { randomUUID } from 'node:crypto'
import type { DatabasePool } from 'slonik'
import {
  changeAspSet,
  findAspSetState,
  listAspLabels,
  type AspSetState,
} from '../../../db/pool/tree/asp-set.ts'
import type { ProvingPool } from '../../../proving/proving-pool.ts'
import { labelsOf, verifyList, type Checkpoint, type LabelList } from './verify-list.ts'

/** Labels that one transaction appends, in whole checkpoints. */
const BATCH = 1_024
/** Labels compared at a time. */
const COMPARED = 512

/** The result for a list: stored, has another root, or another instance was storing one. */
export type TakenList = 'stored' | 'other-root' | 'overtaken'

/**
 * Stores a provider's list of labels as a chain's association set if it hashes to the root. Usually labels were only
 * appended: then only these are hashed, and the root proves the earlier ones. Otherwise the whole list is hashed
 * anew. A list without the root is not stored.
 */
export async function takeAspList(
  database: DatabasePool,
  proving: ProvingPool,
  chainId: number,
  list: LabelList,
  root: bigint,
): Promise<TakenList> {
  const stored = await findAspSetState(database, chainId)
  if (stored && stored.size > 0 && stored.size < list.size) {
    const appended = await verifyList(proving, list, root, stored)
    if (appended) return append(database, chainId, list, stored, appended)
  }
  const checkpoints = await verifyList(proving, list, root)
  const last = checkpoints?.at(-1)
  if (!checkpoints || !last) return 'other-root'
  if (!stored) return append(database, chainId, list, null, checkpoints)
  const same = await countSame(database, chainId, list, Math.min(stored.size, last.size))
  const { frontier } = last
  const change = {
    chainId,
    before: stored,
    keep: same,
    labels: labelsOf(list, same, last.size),
    after: { root, frontier: [...frontier], lineage: randomUUID() },
  }
  return (await changeAspSet(database, change)) ? 'stored' : 'overtaken'
}

/**
 * Appends in batches to keep each transaction short. After each batch the rows are the first labels of the list.
 * Their root is not the chain's until the last batch.
 */
async function append(
  database: DatabasePool,
  chainId: number,
  list: LabelList,
  stored: AspSetState | null,
  checkpoints: readonly Checkpoint[],
): Promise<TakenList> {
  let before = stored
  const lineage = stored?.lineage ?? randomUUID()
  for (const { size, root, frontier } of checkpoints) {
    const keep = before?.size ?? 0
    const isLast = size === checkpoints.at(-1)?.size
    if (size - keep < BATCH && !isLast) continue
    const after = { root, frontier: [...frontier], lineage }
    const labels = labelsOf(list, keep, size)
    if (!(await changeAspSet(database, { chainId, before, keep, labels, after }))) return 'overtaken'
    before = { ...after, size }
  }
  return 'stored'
}

/** Counts the first labels that are stored exactly as in the list. */
async function countSame(
  database: DatabasePool,
  chainId: number,
  list: LabelList,
  most: number,
): Promise<number> {
  for (let from = 0; from < most; from += COMPARED) {
    const to = Math.min(most, from + COMPARED)
    const stored = await listAspLabels(database, chainId, { from, count: to - from })
    const listed = labelsOf(list, from, to)
    const difference = listed.findIndex((label, place) => label !== stored[place])
    if (difference >= 0) return from + difference
  }
  return most
}
