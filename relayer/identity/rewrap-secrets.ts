import type { DatabasePool } from 'slonik'
import {
  lockForeignSecrets,
  SECRET_PLACES,
  writeSecret,
  type SecretPlace,
} from '../../db/identity/sealed-secrets.ts'
import { contactEmailOwner } from '../accounts/create-accounts.ts'
import { VaultError } from './create-vault.ts'
import type { Vault } from './vault.ts'

const BATCH = 100

const ownerIn: Readonly<Record<SecretPlace, (about: string) => string>> = {
  account: (accountId) => accountId,
  'contact-email': contactEmailOwner,
  'server-key': (purposeAndId) => `server-key:${purposeAndId}`,
}

export interface Rewrapped {
  place: SecretPlace
  rewrapped: number
  /** Those whose data key did not unwrap; they are left as they were. */
  failed: readonly { about: string; reason: string }[]
}

/**
 * Brings all secrets at rest under the newest master key, batch by batch; the service may run meanwhile. Only data keys
 * are wrapped again: what they encrypt stays as it is.
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
  const failed: { about: string; reason: string }[] = []
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
): Promise<{ rewrapped: number; failed: { about: string; reason: string }[]; last: string | undefined }> {
  const rows = await lockForeignSecrets(transaction, place, page)
  const failed: { about: string; reason: string }[] = []
  for (const { key, about, bytes, masterKeyId } of rows) {
    try {
      const sealed = await vault.rewrap(ownerIn[place](about), { bytes, masterKeyId })
      if (sealed) await writeSecret(transaction, place, { key, ...sealed })
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
      failed.push({ about, reason: error.message })
    }
  }
  return { rewrapped: rows.length - failed.length, failed, last: rows.at(-1)?.key }
}
