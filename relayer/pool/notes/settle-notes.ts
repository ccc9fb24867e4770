import { listAccountDeposits } from '../../../db/pool/notes/account-deposits.ts'
import type { PoolKey } from '../../../db/pool/notes/pool-conversions.ts'
import type { SettledNote } from '../book/book-content.ts'
import type { PoolBooks } from '../book/pool-books.ts'
import { commitmentNotFound, settlementRefused } from '../errors.ts'

/** A wallet's report of a deposit's remainder. */
export interface NoteSettlement {
  /** The id of any note of the deposit, as in the account's commitments. */
  commitmentId: string
  /** Number of spends from the deposit. */
  withdrawalIndex: number
  /** In the token's smallest unit. */
  value: bigint
}

/**
 * Writes the remainders of deposits after unreported spends into the account's book. All or nothing; a repeated call
 * changes nothing. The service cannot check a remainder, so it accepts only more spends and no more value.
 *
 * @throws ServiceError `not-found` COMMITMENT_NOT_FOUND; `bad-request` SETTLEMENT_REFUSED; `unavailable` SERVER_BUSY.
 */
export function settleNotes(
  { books }: { books: PoolBooks },
  accountId: string,
  pool: PoolKey,
  settlements: readonly NoteSettlement[],
): Promise<void> {
  return books.change(accountId, pool, async ({ content, notes }, transaction) => {
    const deposits = await listAccountDeposits(transaction, accountId, pool)
    const valueOf = new Map(deposits.map(({ label, value }) => [label, value]))
    const settled = settlements.flatMap(({ commitmentId, withdrawalIndex, value }): SettledNote[] => {
      const label = labelOf(commitmentId)
      const deposited = label === null ? undefined : valueOf.get(label)
      if (label === null || deposited === undefined) throw commitmentNotFound()
      const present = notes.get(label) ?? { withdrawalIndex: 0, value: deposited }
      if (withdrawalIndex === present.withdrawalIndex && value === present.value) return []
      if (withdrawalIndex <= present.withdrawalIndex || value > present.value)
        throw settlementRefused(
          `notes: of ${label} there are ${present.value} left after ${present.withdrawalIndex} withdrawals`,
        )
      return [{ label, withdrawalIndex, value }]
    })
    const labels = new Set(settled.map(({ label }) => label))
    if (labels.size < settled.length) throw settlementRefused('notes: a deposit is settled twice')
    if (settled.length === 0) return { content: null, result: undefined }
    const others = content.settled.filter(({ label }) => !labels.has(label))
    return { content: { ...content, settled: [...others, ...settled] }, result: undefined }
  })
}

/** Returns the label of a commitment id; null for a pending deposit, which has no label yet. */
function labelOf(commitmentId: string): bigint | null {
  const [, digits] = /^(\d{1,78})(?:-\d{1,9})?$/.exec(commitmentId) ?? []
  return digits === undefined ? null : BigInt(digits)
}
