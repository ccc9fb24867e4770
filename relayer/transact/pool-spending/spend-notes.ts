import type { Book } from '../../pool/book/settle-book.ts'
import type { PoolCommitment } from '../../pool/notes/list-commitments.ts'
import type { SpendableNote } from './plan-spend.ts'

/** An approved note of an account, with the deposit that it goes back to. */
export interface SpendNote extends SpendableNote {
  label: bigint
  withdrawalIndex: number
}

/** The approved notes of an account that have something left; those that a told spend holds apart. */
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
