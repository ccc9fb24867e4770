import type { Book } from '../../pool/book/settle-book.ts'
import type { PoolCommitment } from '../../pool/notes/list-commitments.ts'
import type { SpendableNote } from './plan-spend.ts'

/** An approved note of an account, with its original deposit. */
export interface SpendNote extends SpendableNote {
  label: bigint
  withdrawalIndex: number
}

/**
 * Lists the approved notes of an account with a value, separated into free ones and ones that a reported spend holds.
 */
export function listSpendNotes(
  commitments: readonly PoolCommitment[],
  { locked }: Pick<Book, 'locked'>,
): { free: SpendNote[]; held: SpendNote[] } {
  const notes = commitments.flatMap(({ id, label, value, depositIndex, withdrawalIndex, aspStatus }) =>
    label !== null && aspStatus === 'approved' && value > 0n
      ? [{ id, label, value, depositIndex, withdrawalIndex }]
      : [],
  )
  return {
    free: notes.filter(({ label }) => !locked.has(label)),
    held: notes.filter(({ label }) => locked.has(label)),
  }
}
