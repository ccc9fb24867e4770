import type { DatabasePool } from 'slonik'
import { listCashPayees } from '../../../db/transact/cash-payees.ts'
import { cashPayeeOwner } from '../../identity/sealed-owners.ts'
import type { Vault } from '../../identity/vault.ts'
import { unpadText } from '../../pool/book/pad-text.ts'

/** The payee of a cash-out. */
export interface ExportedPayee {
  quoteId: string
  handle: string
}

/** Opens the payee handles of an account's cash-outs, for their owner. */
export async function exportPayees(
  { database, vault }: { database: DatabasePool; vault: Pick<Vault, 'open'> },
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
