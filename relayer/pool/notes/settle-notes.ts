import { listAccountDeposits } from '../../../db/pool/notes/account-deposits.ts'
import {
  type PoolKey,
  listStandingDeposits,
  sumUnindexedConversions,
} from '../../../db/pool/notes/pool-conversions.ts'
import type { SettledNote } from '../book/book-content.ts'
import type { NoteSources, PoolBooks } from '../book/pool-books.ts'
import { commitmentNotFound, settlementRefused } from '../errors.ts'
import type { Address } from 'viem'

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

/** The difference between the present amounts in a pool and the sum of its deposits, in the token's smallest unit. */
interface PooledChange {
  chainId: number
  /** The pools' asset address: 0xEeee… is the native coin. */
  asset: Address
  approved: bigint
  pending: bigint
  declined: bigint
  /** The part of approved notes that pending reported spends lock; no longer in `approved`. */
  locked: bigint
}

/**
 * Lists the changes that the sums of an account's deposits lack: reported spends, and conversions that are on chain
 * but not indexed yet. One more statement for an account without reports.
 */
export async function listPooledChanges(
  { database, books }: NoteSources,
  accountId: string,
): Promise<PooledChange[]> {
  const [read, arriving] = await Promise.all([
    books.readAll(accountId),
    sumUnindexedConversions(database, accountId),
  ])
  const ofBooks = await Promise.all(
    read.map(async ({ pool, book }) => {
      const labels = new Set([...book.notes.keys(), ...book.locked.keys()])
      const deposits = await listStandingDeposits(database, accountId, pool, [...labels])
      return deposits.map(({ label, value, standing, asset }): PooledChange => {
        const left = book.notes.get(label)?.value ?? value
        const locked = standing === 'approved' && book.locked.has(label) ? left : 0n
        const change = { chainId: pool.chainId, asset, ...NOTHING, locked }
        return { ...change, [standing]: left - value - locked }
      })
    }),
  )
  return [
    ...ofBooks.flat(),
    ...arriving.map(({ chainId, asset, amount }) => ({ chainId, asset, ...NOTHING, pending: amount })),
  ]
}

const NOTHING = { approved: 0n, pending: 0n, declined: 0n, locked: 0n }
