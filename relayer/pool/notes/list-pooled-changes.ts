import type { CommonQueryMethods } from 'slonik'
import type { Address } from 'viem'
import { listStandingDeposits, sumUnindexedConversions } from '../../../db/pool/notes/pooled-amounts.ts'
import type { PoolBooks } from '../book/pool-books.ts'

/** The difference between the present amounts in a pool and the sum of its deposits, in the token's smallest unit. */
export interface PooledChange {
  chainId: number
  /** The pools' asset address: 0xEeee… is the native coin. */
  asset: Address
  approved: bigint
  pending: bigint
  declined: bigint
  /** The part of approved notes that pending reported spends lock; no longer in `approved`. */
  locked: bigint
}

/** Dependencies for finding the changes. */
export interface PooledChangesParts {
  database: CommonQueryMethods
  books: Pick<PoolBooks, 'readAll'>
}

/**
 * Lists the changes that the sums of an account's deposits lack: reported spends, and conversions that are on chain
 * but not indexed yet. One more statement for an account without reports.
 */
export async function listPooledChanges(
  { database, books }: PooledChangesParts,
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
