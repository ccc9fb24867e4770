import type { DatabasePool } from 'slonik'
import { ACCOUNT_TABLES } from '../../../db/account-tables.ts'
import { findContactEmail } from '../../../db/account/profile/contact-emails.ts'
import {
  readAccountRows,
  eraseAccountRows,
  lockForErasure,
} from '../../../db/account/erasure/account-rows.ts'
import { type Vault, contactEmailOwner, cashPayeeOwner } from '../../identity/vault.ts'
import { listSpends } from '../../../db/pool/book/pool-spends.ts'
import { createPoolBooks } from '../../pool/book/pool-books.ts'
import { openSpend } from '../../pool/book/spend-record.ts'
import { listCashPayees } from '../../../db/transact/cash-payees.ts'
import { unpadText } from '../../pool/book/book-content.ts'
import { retireSubdomain } from '../../../db/account/subdomains/subdomains.ts'
import type { TransientSecrets } from '../../identity/transient-secrets.ts'
import { rememberLife } from '../profile/create-account.ts'
import { defineError } from '../../service-error.ts'

/** All data of an account, for its owner. */
export interface AccountExport {
  accountId: string
  exportedAt: string
  contactEmail: string | null
  /** The account's reports about its notes, by pool. */
  poolBooks: readonly ExportedBook[]
  /** Submitted spends, the oldest first. */
  poolSpends: readonly Record<string, unknown>[]
  /** Payees of cash-outs that have not ended. */
  cashPayees: readonly ExportedPayee[]
  /** Rows by table; amounts and other numbers are decimal strings. */
  tables: Record<string, readonly Record<string, unknown>[]>
}

/** Collects the data of an account, without keys and other secrets; null if there is no such account. */
export async function exportAccount(
  { database, vault }: { database: DatabasePool; vault: Vault },
  accountId: string,
): Promise<AccountExport | null> {
  const tables = await readAccountRows(database, accountId, ACCOUNT_TABLES)
  if (!tables['account']) return null
  const sealed = await findContactEmail(database, accountId)
  const email = sealed && (await vault.open(contactEmailOwner(accountId), sealed))
  return {
    accountId,
    exportedAt: new Date().toISOString(),
    contactEmail: email && Buffer.from(email).toString('utf8'),
    ...(await exportBooks({ database, vault }, accountId)),
    cashPayees: await exportPayees({ database, vault }, accountId),
    tables,
  }
}

/** More than an account can have. */
const ALL = 1_000_000

/** An account's reports about its notes in one pool. Amounts are decimal strings in the smallest unit. */
interface ExportedBook {
  chainId: number
  pool: string
  /** Reported spends, with the notes that they spend and the hashes that the chain shows. */
  spends: readonly Record<string, unknown>[]
  /** The reported remainders of deposits. */
  settled: readonly Record<string, unknown>[]
}

/** Opens an account's note books and its list of reported spends, for their owner. */
async function exportBooks(
  { database, vault }: { database: DatabasePool; vault: Vault },
  accountId: string,
): Promise<{ poolBooks: readonly ExportedBook[]; poolSpends: readonly Record<string, unknown>[] }> {
  const [books, rows] = await Promise.all([
    createPoolBooks(database, vault).readAll(accountId),
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

/** The payee of a cash-out. */
interface ExportedPayee {
  quoteId: string
  handle: string
}

/** Opens the payee handles of an account's cash-outs, for their owner. */
async function exportPayees(
  { database, vault }: { database: DatabasePool; vault: Vault },
  accountId: string,
): Promise<ExportedPayee[]> {
  const rows = await listCashPayees(database, accountId)
  const owner = cashPayeeOwner(accountId)
  return Promise.all(
    rows.map(async ({ quoteId, ...sealed }) => ({
      quoteId,
      handle: unpadText(await vault.open(owner, sealed)),
    })),
  )
}

/**
 * Deletes an account and its data, except rows that also belong to another account. Its name is never issued again,
 * and its history on the chains stays there.
 *
 * @param secrets Key of the hash under which the number of the account's addresses is stored. If the account is
 * created again, those addresses have a past.
 * @returns False if there is no such account.
 * @throws ServiceError `conflict` while the account has a pending payment.
 */
export function deleteAccount(
  database: DatabasePool,
  accountId: string,
  secrets?: TransientSecrets,
): Promise<boolean> {
  return database.transaction(async (connection) => {
    const underWay = await lockForErasure(connection, accountId)
    if (underWay === null) return false
    if (underWay > 0)
      throw quotesUnderWay(`${underWay} of the account’s quotes are pending; wait or unlock them`)
    if (secrets) await rememberLife(connection, secrets, accountId)
    await retireSubdomain(connection, accountId)
    await eraseAccountRows(connection, accountId, ACCOUNT_TABLES)
    return true
  })
}

/** An account with pending payments cannot be deleted. */
const quotesUnderWay = defineError({
  kind: 'conflict',
  example: '2 of the account’s quotes are pending; wait or unlock them',
})
