import type { DatabasePool } from 'slonik'
import { lockForeignSecrets, writeSecret } from '../../db/identity/sealed-secrets.ts'
import { SEALED_COLUMNS } from '../../db/sealed-columns.ts'
import { VaultError } from './create-vault.ts'
import { renewSecret, SECRET_PLACES, type SecretPlace } from './secret-places.ts'
import type { Vault } from './vault.ts'

const BATCH = 100

/** The result of re-wrapping one place. */
export interface Rewrapped {
  place: SecretPlace
  rewrapped: number
  /** Keys of the rows that did not open; they are unchanged. */
  failed: readonly { key: string; reason: string }[]
}

/**
 * Re-wraps all secrets at rest under the newest master key, in batches, while the service may run. Data keys are
 * wrapped again; the ciphertexts stay.
 */
export async function rewrapSecrets(
  database: DatabasePool,
  vault: Vault,
  newestId: string,
): Promise<Rewrapped[]> {
  const results: Rewrapped[] = []
  for (const place of SECRET_PLACES) results.push(await rewrapPlace(database, vault, newestId, place))
  return results
}

async function rewrapPlace(
  database: DatabasePool,
  vault: Vault,
  newestId: string,
  place: SecretPlace,
): Promise<Rewrapped> {
  const failed: { key: string; reason: string }[] = []
  let rewrapped = 0
  for (let after: string | undefined = ''; after !== undefined;) {
    const batch = await database.transaction((transaction) =>
      rewrapBatch(transaction, vault, place, { newestId, after: after ?? '', limit: BATCH }),
    )
    rewrapped += batch.rewrapped
    failed.push(...batch.failed)
    after = batch.last
  }
  return { place, rewrapped, failed }
}

async function rewrapBatch(
  transaction: Parameters<typeof lockForeignSecrets>[0],
  vault: Vault,
  place: SecretPlace,
  page: { newestId: string; after: string; limit: number },
): Promise<{ rewrapped: number; failed: { key: string; reason: string }[]; last: string | undefined }> {
  const rows = await lockForeignSecrets(transaction, SEALED_COLUMNS[place], page)
  const failed: { key: string; reason: string }[] = []
  for (const row of rows) {
    try {
      const sealed = await renewSecret(vault, place, row)
      if (sealed) await writeSecret(transaction, SEALED_COLUMNS[place], { key: row.key, ...sealed })
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
      failed.push({ key: row.key, reason: error.message })
    }
  }
  return { rewrapped: rows.length - failed.length, failed, last: rows.at(-1)?.key }
}
