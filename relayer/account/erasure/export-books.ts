import type { DatabasePool } from 'slonik'
import { listSpends } from '../../../db/pool/book/pool-spends.ts'
import type { Vault } from '../../identity/vault.ts'
import { createPoolBooks } from '../../pool/book/create-pool-books.ts'
import { openSpend } from '../../pool/book/spend-record.ts'

/** More than an account can have. */
const ALL = 1_000_000

/** What an account told of its notes in one pool. Amounts are decimal strings in the smallest unit. */
export interface ExportedBook {
  chainId: number
  pool: string
  /** Spends that it told of, with the notes that they take and the hashes by which the chain shows them. */
  spends: readonly Record<string, unknown>[]
  /** What it said is left of deposits. */
  settled: readonly Record<string, unknown>[]
}

/** The note books of an account and its list of told spends, opened for their owner. */
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

/** JSON has no numbers as large as amounts. */
const asText = (value: object): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member)),
  ) as Record<string, unknown>
