import type { SecretRow } from '../../db/identity/sealed-secrets.ts'
import { SEALED_COLUMNS } from '../../db/sealed-columns.ts'
import { VaultError } from './create-vault.ts'
import { type Sealed, type Vault, bookOwner, cashPayeeOwner, contactEmailOwner, spendOwner } from './vault.ts'

/** A column of secrets at rest, or of seals. */
export type SecretPlace = keyof typeof SEALED_COLUMNS

/** All of them, by their names in reports. */
export const SECRET_PLACES = Object.keys(SEALED_COLUMNS) as SecretPlace[]

/** The subject of a row, as the vault binds it. */
const ownerIn: Readonly<Record<Exclude<SecretPlace, 'api-key'>, (about: string) => string>> = {
  account: (accountId) => accountId,
  'contact-email': contactEmailOwner,
  'pool-book': bookOwner,
  'pool-spend': spendOwner,
  'cash-payee': cashPayeeOwner,
  'server-key': (purposeAndId) => `server-key:${purposeAndId}`,
}

/** Opens a secret and drops it, or checks a seal. @throws VaultError if the master keys at hand cannot. */
export async function openSecret(
  vault: Vault,
  place: SecretPlace,
  { about, ...sealed }: SecretRow,
): Promise<void> {
  if (place === 'api-key') await demandCertified(vault, about, sealed)
  else await vault.open(ownerIn[place](about), sealed)
}

/** Re-seals a secret under the newest master key; null if it already is. @throws VaultError as above. */
export async function renewSecret(
  vault: Vault,
  place: SecretPlace,
  { about, ...sealed }: SecretRow,
): Promise<Sealed | null> {
  if (place !== 'api-key') return vault.rewrap(ownerIn[place](about), sealed)
  await demandCertified(vault, about, sealed)
  return vault.certify(about)
}

async function demandCertified(vault: Vault, statement: string, seal: Sealed): Promise<void> {
  if (await vault.isCertified(statement, seal)) return
  throw new VaultError('A seal is not of its row, or is under a master key that identity.masterKeys lacks')
}
