import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'
import type { SealedColumn } from '../sealed-column.ts'

const secretRow = z.object({
  key: z.string(),
  /**
   * Text that binds the sealed bytes to their owner: the accountId, or `purpose:id` of a server key; for an API key the
   * sealed statement.
   */
  about: z.string(),
  bytes: z.instanceof(Buffer),
  masterKeyId: z.string(),
})
/** One sealed value and the id of the master key that wraps its data key. */
export type SecretRow = z.output<typeof secretRow>

/** Lists secrets that are not under this master key, in key order, locked until the transaction ends. */
export function lockForeignSecrets(
  transaction: CommonQueryMethods,
  { table, key, bytes, about }: SealedColumn,
  { newestId, after, limit }: { newestId: string; after: string; limit: number },
): Promise<readonly SecretRow[]> {
  const keyText = sql.fragment`${sql.identifier([key])}::text`
  return transaction.any(sql.type(secretRow)`
    select ${keyText} as key, ${about} as about, ${sql.identifier([bytes])} as bytes, master_key_id as "masterKeyId"
    from ${sql.identifier([table])}
    where master_key_id <> ${newestId} and ${keyText} > ${after}
    order by ${keyText} limit ${limit} for no key update`)
}

const sampleRow = secretRow.extend({ rows: z.int() })

/** Lists one secret under each master key, the last by key, with the number of all that are under it. */
export function listSampleSecrets(
  connection: CommonQueryMethods,
  { table, key, bytes, about }: SealedColumn,
): Promise<readonly z.output<typeof sampleRow>[]> {
  const keyText = sql.fragment`${sql.identifier([key])}::text`
  return connection.any(sql.type(sampleRow)`
    select distinct on (master_key_id) ${keyText} as key, ${about} as about, ${sql.identifier([bytes])} as bytes,
      master_key_id as "masterKeyId", (count(*) over (partition by master_key_id))::int4 as rows
    from ${sql.identifier([table])}
    where master_key_id is not null and ${sql.identifier([bytes])} is not null
    order by master_key_id, ${keyText} desc`)
}

/** Replaces the sealed bytes of one row; the row must be locked by `lockForeignSecrets`. */
export async function writeSecret(
  transaction: CommonQueryMethods,
  column: SealedColumn,
  { key, bytes, masterKeyId }: Pick<SecretRow, 'key' | 'bytes' | 'masterKeyId'>,
): Promise<void> {
  const { table, key: keyColumn, bytes: bytesColumn } = column
  await transaction.query(sql.typeAlias('void')`
    update ${sql.identifier([table])} set ${sql.identifier([bytesColumn])} = ${sql.binary(bytes)},
      master_key_id = ${masterKeyId}
    where ${sql.identifier([keyColumn])}::text = ${key}`)
}
