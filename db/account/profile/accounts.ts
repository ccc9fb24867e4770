import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { type AccountTable, byAccount } from '../../account-table.ts'
import type { SealedColumn } from '../../sealed-column.ts'

/** How an account's erasure and export treat the table. */
export const accountTable: AccountTable = {
  table: 'account',
  own: (accountId) => sql.fragment`id = ${accountId}`,
  omit: ['sealed_keys', 'master_key_id'],
}

/** Rewrapped under a new master key by rewrap-keys. */
export const sealedKeys: SealedColumn = {
  table: 'account',
  key: 'id',
  bytes: 'sealed_keys',
  about: sql.fragment`id::text`,
}

/** Secret bytes as a vault sealed them. */
export interface SealedBytes {
  bytes: Buffer
  masterKeyId: string
}

/** An account to be stored. The experiment columns name the onboarding variant that it was shown, if any. */
export interface NewAccountRow {
  id: string
  /** Checksummed. */
  authAddress: string
  sealedKeys: SealedBytes
  experimentId: string | null
  experimentKey: string | null
  variantKey: string | null
}

/** Inserts an account; waits for a concurrent insert to end. False where the auth address already has an account. */
export async function insertAccount(
  connection: CommonQueryMethods,
  account: NewAccountRow,
): Promise<boolean> {
  const { bytes, masterKeyId } = account.sealedKeys
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    insert into account (id, auth_address, sealed_keys, master_key_id,
      onboarding_experiment_id, onboarding_experiment_key, onboarding_variant_key)
    values (${account.id}, ${account.authAddress}, ${sql.binary(bytes)}, ${masterKeyId},
      ${account.experimentId}, ${account.experimentKey}, ${account.variantKey})
    on conflict (auth_address) do nothing`)
  return rowCount === 1
}

const keysRow = z.object({ id: z.string(), bytes: z.instanceof(Buffer), masterKeyId: z.string() })

/** The sealed keys of the account with an auth address; null without one. */
export async function findKeysOfSigner(
  connection: CommonQueryMethods,
  authAddress: string,
): Promise<{ id: string; sealedKeys: SealedBytes } | null> {
  const row = await connection.maybeOne(sql.type(keysRow)`
    select id, sealed_keys as bytes, master_key_id as "masterKeyId"
    from account where auth_address = ${authAddress}`)
  return row && { id: row.id, sealedKeys: { bytes: row.bytes, masterKeyId: row.masterKeyId } }
}

/** The sealed keys of an account; null for an unknown account. */
export async function findKeysOfAccount(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<SealedBytes | null> {
  return connection.maybeOne(sql.type(keysRow.omit({ id: true }))`
    select sealed_keys as bytes, master_key_id as "masterKeyId" from account where id = ${accountId}`)
}

const profileRow = z.object({
  encryptedCustomEnsName: z.string().nullable(),
  id: z.string(),
  authAddress: z.string(),
  createdAt: z.date(),
  nextDerivationNonce: z.bigint().transform(Number),
  dismissedPrompts: z.array(z.string()),
  hasPoolDeposits: z.boolean(),
})

/**
 * The parts of an account's row that its owner sees, with dismissed prompts, oldest first; null for an unknown account.
 */
export function findProfile(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<z.output<typeof profileRow> | null> {
  return connection.maybeOne(sql.type(profileRow)`
    select id, auth_address as "authAddress", created_at as "createdAt",
      next_derivation_nonce as "nextDerivationNonce", encrypted_custom_ens_name as "encryptedCustomEnsName",
      array(select prompt_id from dismissed_prompt where account_id = account.id
        order by dismissed_at, prompt_id) as "dismissedPrompts",
      exists (select from account_deposit_sum where account_id = account.id) as "hasPoolDeposits"
    from account where id = ${accountId}`)
}

/** Sets the ENS name that the client encrypted; null removes it. */
export async function saveCustomEnsName(
  connection: CommonQueryMethods,
  accountId: string,
  encrypted: string | null,
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    update account set encrypted_custom_ens_name = ${encrypted} where id = ${accountId}`)
}

/** How an account's erasure and export treat the table. */
export const dismissedPromptTable = byAccount('dismissed_prompt')

const dismissalRow = z.object({ dismissedAt: z.date() })

/** Records a dismissal. Returns its time; the first dismissal counts. */
export async function dismissPrompt(
  connection: CommonQueryMethods,
  accountId: string,
  promptId: string,
): Promise<Date> {
  // An update without a change, so that an existing row is returned too.
  const { dismissedAt } = await connection.one(sql.type(dismissalRow)`
    insert into dismissed_prompt (account_id, prompt_id) values (${accountId}, ${promptId})
    on conflict (account_id, prompt_id) do update set dismissed_at = dismissed_prompt.dismissed_at
    returning dismissed_at as "dismissedAt"`)
  return dismissedAt
}

/** Records the number of addresses of an account that is about to be deleted. @param signer Keyed hash of its sign-in address. */
export async function rememberAddresses(
  connection: CommonQueryMethods,
  accountId: string,
  signer: Buffer,
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    insert into earlier_account (signer_hash, addresses)
    select ${sql.binary(signer)}, greatest(next_derivation_nonce, addresses_before) from account
    where id = ${accountId} and greatest(next_derivation_nonce, addresses_before) > 0
    on conflict (signer_hash) do update set addresses = greatest(earlier_account.addresses, excluded.addresses)`)
}

/** Sets on a new account the number of addresses of an earlier one with the same signer: those may have a past. */
export async function recallAddresses(
  connection: CommonQueryMethods,
  accountId: string,
  signer: Buffer,
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    update account set addresses_before = earlier.addresses from earlier_account as earlier
    where account.id = ${accountId} and earlier.signer_hash = ${sql.binary(signer)}`)
}
