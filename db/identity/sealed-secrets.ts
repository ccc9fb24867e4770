import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'
import { apiKeyStatement } from './api-keys.ts'

/** Where sealed secrets and seals are kept for long: key column, what names the owner or is sealed, and the bytes. */
const PLACES = {
  account: { table: 'account', key: 'id', bytes: 'sealed_keys', about: sql.fragment`id::text` },
  'contact-email': {
    table: 'contact_email',
    key: 'account_id',
    bytes: 'sealed_email',
    about: sql.fragment`account_id::text`,
  },
  'server-key': {
    table: 'server_key',
    key: 'id',
    bytes: 'sealed_key',
    about: sql.fragment`purpose || ':' || id`,
  },
  'api-key': { table: 'api_key', key: 'id', bytes: 'seal', about: apiKeyStatement },
} as const

/** A column that holds bytes sealed under a master key. */
export type SecretPlace = keyof typeof PLACES
/** All places with sealed bytes: what a change of the master key has to re-wrap. */
export const SECRET_PLACES = Object.keys(PLACES) as SecretPlace[]

const secretRow = z.object({
  key: z.string(),
  /** What the owner's name is made of: the accountId, or `purpose:id` of a server key; of an API key what is sealed. */
  about: z.string(),
  bytes: z.instanceof(Buffer),
  masterKeyId: z.string(),
})
/** One sealed value and the id of the master key that wraps its data key. */
export type SecretRow = z.output<typeof secretRow>

/** Secrets that are not under this master key, in the order of their keys, locked until the transaction ends. */
export function lockForeignSecrets(
  transaction: CommonQueryMethods,
  place: SecretPlace,
  { newestId, after, limit }: { newestId: string; after: string; limit: number },
): Promise<readonly SecretRow[]> {
  const { table, key, bytes, about } = PLACES[place]
  const keyText = sql.fragment`${sql.identifier([key])}::text`
  return transaction.any(sql.type(secretRow)`
    select ${keyText} as key, ${about} as about, ${sql.identifier([bytes])} as bytes, master_key_id as "masterKeyId"
    from ${sql.identifier([table])}
    where master_key_id <> ${newestId} and ${keyText} > ${after}
    order by ${keyText} limit ${limit} for no key update`)
}

/** Replaces the sealed bytes of one row; the row must be locked by `lockForeignSecrets`. */
export async function writeSecret(
  transaction: CommonQueryMethods,
  place: SecretPlace,
  { key, bytes, masterKeyId }: Pick<SecretRow, 'key' | 'bytes' | 'masterKeyId'>,
): Promise<void> {
  const { table, key: keyColumn, bytes: bytesColumn } = PLACES[place]
  await transaction.query(sql.typeAlias('void')`
    update ${sql.identifier([table])} set ${sql.identifier([bytesColumn])} = ${sql.binary(bytes)},
      master_key_id = ${masterKeyId}
    where ${sql.identifier([keyColumn])}::text = ${key}`)
}
