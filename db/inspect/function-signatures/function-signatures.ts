import type { CommonQueryMethods, DatabaseTransactionConnection } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'

const signatureRow = z.object({
  selector: z.number(),
  signature: z.string(),
  /** 2: from a contract with verified source; 3: reported by anybody. */
  source: z.number(),
})
/** A signature by its selector, the four bytes as a signed number. */
export type SignatureRow = z.output<typeof signatureRow>

/**
 * Lists the signatures of some selectors: the best source first, then the shortest. The row limit thus cuts off
 * signatures that anybody can report.
 */
export function listSignatures(
  connection: CommonQueryMethods,
  selectors: readonly number[],
): Promise<readonly SignatureRow[]> {
  return connection.any(sql.type(signatureRow)`
    select selector, signature, source from function_signature
    where selector = any(${sql.array([...selectors], 'int4')})
    order by source, length(signature) limit 5000`)
}

/** Adds signatures that are not known yet. */
export async function keepSignatures(
  connection: CommonQueryMethods,
  rows: readonly SignatureRow[],
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    insert into function_signature (selector, signature, source)
    select selector, signature, source from ${unnest(rows)} as told (selector, signature, source)
    where not exists (select from function_signature known
      where known.selector = told.selector and known.signature = told.signature and known.source <= told.source)`)
}

/** Rows of an import, before they take the table's place. */
export interface SignatureImport {
  add(rows: readonly SignatureRow[]): Promise<void>
  /**
   * Replaces the table with the added rows, each signature once by its best source. Keeps the old rows too, unless
   * `replace`. Lookups wait only for the exchange.
   *
   * @returns The number of rows in the table now.
   */
  finish(replace: boolean): Promise<number>
}

/** Begins an import. Another import waits until the transaction ends. */
export async function beginSignatureImport(
  transaction: DatabaseTransactionConnection,
): Promise<SignatureImport> {
  const run = (statement: ReturnType<typeof sql.fragment>) =>
    transaction.query(sql.typeAlias('void')`${statement}`)
  await run(sql.fragment`select from pg_advisory_xact_lock(hashtext('function_signature import'))`)
  await run(sql.fragment`set local statement_timeout = 0`)
  await run(sql.fragment`set local idle_in_transaction_session_timeout = 0`)
  await run(sql.fragment`
    create temp table signature_incoming (selector int4 not null, signature text not null, source int2 not null)
    on commit drop`)
  return {
    add: async (rows) => {
      await run(sql.fragment`insert into signature_incoming select * from ${unnest(rows)}`)
    },
    async finish(replace) {
      const known = replace
        ? sql.fragment``
        : sql.fragment`union all select selector, signature, source from function_signature`
      await run(
        sql.fragment`create table function_signature_next (like function_signature including constraints)`,
      )
      await run(sql.fragment`
        insert into function_signature_next
        select selector, signature, min(source) from (select * from signature_incoming ${known}) as all_rows
        group by selector, signature order by selector, signature`)
      await run(
        sql.fragment`create index function_signature_next_selector on function_signature_next (selector)`,
      )
      await run(sql.fragment`analyze function_signature_next`)
      await run(sql.fragment`drop table function_signature`)
      await run(sql.fragment`alter table function_signature_next rename to function_signature`)
      await run(
        sql.fragment`alter index function_signature_next_selector rename to function_signature_selector`,
      )
      return transaction.oneFirst(
        sql.type(z.object({ count: z.number() }))`select count(*)::int4 as count from function_signature`,
      )
    },
  }
}

const unnest = (rows: readonly SignatureRow[]) => sql.fragment`unnest(
  ${sql.array(
    rows.map(({ selector }) => selector),
    'int4',
  )},
  ${sql.array(
    rows.map(({ signature }) => signature),
    'text',
  )},
  ${sql.array(
    rows.map(({ source }) => source),
    'int2',
  )})`
