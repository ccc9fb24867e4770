import type { DatabasePool } from 'slonik'
import { lockForeignSecrets, writeSecret } from '../../db/identity/sealed-secrets.ts'
import { SEALED_COLUMNS } from '../../db/sealed-columns.ts'
import { VaultError } from './create-vault.ts'
import { type Sealed, type Vault, bookOwner, cashPayeeOwner, contactEmailOwner, spendOwner } from './vault.ts'

const BATCH = 100

type SecretPlace = keyof typeof SEALED_COLUMNS
const PLACES = Object.keys(SEALED_COLUMNS) as SecretPlace[]

type Renew = (vault: Vault, about: string, sealed: Sealed) => Promise<Sealed | null>

/** Re-seals the secrets of each place; null if nothing has to be written. */
const renewIn: Readonly<Record<SecretPlace, Renew>> = {
  account: (vault, accountId, sealed) => vault.rewrap(accountId, sealed),
  'contact-email': (vault, accountId, sealed) => vault.rewrap(contactEmailOwner(accountId), sealed),
  'pool-book': (vault, about, sealed) => vault.rewrap(bookOwner(about), sealed),
  'pool-spend': (vault, about, sealed) => vault.rewrap(spendOwner(about), sealed),
  'cash-payee': (vault, accountId, sealed) => vault.rewrap(cashPayeeOwner(accountId), sealed),
  'server-key': (vault, purposeAndId, sealed) => vault.rewrap(`server-key:${purposeAndId}`, sealed),
  'api-key': async (vault, statement, seal) => {
    if (!(await vault.isCertified(statement, seal)))
      throw new VaultError(
        'A seal is not of its row, or is under a master key that identity.masterKeys lacks',
      )
    return vault.certify(statement)
  },
}

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
  for (const place of PLACES) results.push(await rewrapPlace(database, vault, newestId, place))
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
  for (const { key, about, bytes, masterKeyId } of rows) {
    try {
      const sealed = await renewIn[place](vault, about, { bytes, masterKeyId })
      if (sealed) await writeSecret(transaction, SEALED_COLUMNS[place], { key, ...sealed })
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
      failed.push({ key, reason: error.message })
    }
  }
  return { rewrapped: rows.length - failed.length, failed, last: rows.at(-1)?.key }
}
