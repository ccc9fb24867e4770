import type { CommonQueryMethods } from 'slonik'
import type { Address } from 'viem'
import { listStandingDeposits, sumUnindexedConversions } from '../../../db/pool/notes/pooled-amounts.ts'
import type { PoolBooks } from '../book/pool-books.ts'

/** By how much amounts in a pool differ from what its deposits come to, in the token's smallest unit. */
export interface PooledChange {
  chainId: number
  /** In the pools' words: 0xEeee… is the native coin. */
  asset: Address
  approved: bigint
  pending: bigint
  declined: bigint
  /** Of approved notes, what spends that the account told hold now. It is in `approved` no more. */
  locked: bigint
}

/** What the changes are found with. */
export interface PooledChangesParts {
  database: CommonQueryMethods
  books: Pick<PoolBooks, 'readAll'>
}

/**
 * What the sums of an account's deposits do not know: what it told it spent or is spending, and conversions that are on
 * chain and not indexed yet. One statement more for an account that told nothing.
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
