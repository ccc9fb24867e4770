import type { CommonQueryMethods } from 'slonik'
import { listSampleSecrets } from '../../db/identity/sealed-secrets.ts'
import { SEALED_COLUMNS } from '../../db/sealed-columns.ts'
import { VaultError } from './create-vault.ts'
import { openSecret, SECRET_PLACES, type SecretPlace } from './secret-places.ts'
import type { Vault } from './vault.ts'

/** The secrets of one place that are under one master key. */
export interface CheckedSecrets {
  place: SecretPlace
  masterKeyId: string
  rows: number
  /** Why the newest of them does not open; null if it does. */
  problem: string | null
}

/** Opens one secret of each place under each master key that the rows name. */
export async function checkSecrets(database: CommonQueryMethods, vault: Vault): Promise<CheckedSecrets[]> {
  const checked: CheckedSecrets[] = []
  for (const place of SECRET_PLACES)
    for (const { rows, ...sample } of await listSampleSecrets(database, SEALED_COLUMNS[place])) {
      const problem = await openSecret(vault, place, sample).then(
        () => null,
        (error: unknown) => {
          if (error instanceof VaultError) return error.message
          throw error
        },
      )
      checked.push({ place, masterKeyId: sample.masterKeyId, rows, problem })
    }
  return checked
}
