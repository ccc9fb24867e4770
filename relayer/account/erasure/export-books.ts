import type { DatabasePool } from 'slonik'
import { listSpends } from '../../../db/pool/book/pool-spends.ts'
import type { Vault } from '../../identity/vault.ts'
import { createPoolBooks } from '../../pool/book/create-pool-books.ts'
import { openSpend } from '../../pool/book/spend-record.ts'

/** More than an account can have. */
const ALL = 1_000_000

/** An account's reports about its notes in one pool. Amounts are decimal strings in the smallest unit. */
export interface ExportedBook {
  chainId: number
  pool: string
  /** Reported spends, with the notes that they spend and the hashes that the chain shows. */
  spends: readonly Record<string, unknown>[]
  /** The reported remainders of deposits. */
  settled: readonly Record<string, unknown>[]
}

/** Opens an account's note books and its list of reported spends, for their owner. */
export async function exportBooks(
  { database, vault }: { database: DatabasePool; vault: Vault },
  accountId: string,
): Promise<{ poolBooks: readonly ExportedBook[]; poolSpends: readonly Record<string, unknown>[] }> {
  const [books, rows] = await Promise.all([
    createPoolBooks({ database, vault }).readAll(accountId),
    listSpends(database, accountId, ALL),
  ])
  const spends = await Promise.all(rows.map((row) => openSpend(vault, accountId, row)))
  return {
    poolBooks: books.map(({ pool, book: { content } }) => ({
      chainId: pool.chainId,
      pool: pool.address,
      spends: content.spends.map(({ until, ...spend }) => asText({ ...spend, until: new Date(until) })),
      settled: content.settled.map(asText),
    })),
    poolSpends: spends
      .toSorted((one, other) => one.submittedAt - other.submittedAt)
      .map(({ submittedAt, ...spend }) => asText({ ...spend, submittedAt: new Date(submittedAt) })),
  }
}

/** Converts bigint members to decimal strings, because JSON numbers cannot hold amounts. */
const asText = (value: object): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member)),
  ) as Record<string, unknown>
