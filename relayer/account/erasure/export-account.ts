import type { DatabasePool } from 'slonik'
import { ACCOUNT_TABLES } from '../../../db/account-tables.ts'
import { findContactEmail } from '../../../db/account/profile/contact-emails.ts'
import { readAccountRows } from '../../../db/account/erasure/read-account-rows.ts'
import type { Vault } from '../../identity/vault.ts'
import { contactEmailOwner } from '../../identity/sealed-owners.ts'
import { exportPayees, type ExportedPayee } from './export-payees.ts'
import { exportBooks, type ExportedBook } from './export-books.ts'

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
