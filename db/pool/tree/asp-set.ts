import type { CommonQueryMethods, DatabasePool } from 'slonik'
import { z } from 'zod'
import { smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

const numerics = z.array(z.string()).transform((items) => items.map(BigInt))
const aspSetState = z.object({
  root: z.bigint(),
  size: smallInteger,
  frontier: numerics,
  lineage: z.string(),
})
/** State of a chain's stored labels and their hash; `db/schema/pool.sql` explains the members. */
export type AspSetState = z.output<typeof aspSetState>

/** Reads the state of a chain's stored labels; null while there are none. */
export function findAspSetState(
  connection: CommonQueryMethods,
  chainId: number,
): Promise<AspSetState | null> {
  return connection.maybeOne(sql.type(aspSetState)`
    select root, size, frontier::text[], lineage from asp_set_state where chain_id = ${chainId}`)
}

/** Lists part of a chain's labels, by position in the ASP's tree. */
export async function listAspLabels(
  connection: CommonQueryMethods,
  chainId: number,
  part: { from: number; count: number },
): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(z.object({ label: z.string() }))`
    select label::text from asp_set
    where chain_id = ${chainId} and position >= ${part.from} and position < ${part.from + part.count}
    order by position`)
}

const aspPage = aspSetState.pick({ root: true, size: true, lineage: true }).extend({
  /** Labels as JSON, without the brackets of their list. */
  text: z.string(),
})
/** Part of a chain's labels, with the state of all of them. */
export type AspPage = z.output<typeof aspPage>

/** Reads at most `count` labels of a chain from a position on; null while the chain has none. */
export function readAspPage(
  connection: CommonQueryMethods,
  chainId: number,
  part: { from: number; count: number },
): Promise<AspPage | null> {
  return connection.maybeOne(sql.type(aspPage)`
    select root, size, lineage, coalesce((
      select string_agg('"' || label || '"', ',' order by position) from asp_set
      where chain_id = asp_set_state.chain_id
        and position >= ${part.from} and position < ${part.from + part.count}), '') as text
    from asp_set_state where chain_id = ${chainId}`)
}

/** A change of a chain's labels: it replaces the labels from `keep` on. */
export interface AspSetChange {
  chainId: number
  /** State of the rows before the change; null where there are none. */
  before: AspSetState | null
  keep: number
  /** Decimal, all different. At most a few thousand, unless labels are replaced. */
  labels: readonly string[]
  after: Omit<AspSetState, 'size'>
}

/** Labels per statement. */
const SLICE = 4_096

/**
 * Changes the labels of a chain and the standing of their deposits, at once. It first locks the owners of all the
 * deposits against deletion, as writers of reviews do. That rules out deadlock: an erasure waits for writers of
 * standings.
 *
 * @returns False when the rows no longer matched `before`: another instance was faster, and nothing was changed.
 */
export function changeAspSet(database: DatabasePool, change: AspSetChange): Promise<boolean> {
  const { chainId, before, keep, labels } = change
  return database.transaction(async (transaction) => {
    if (!(await replaceState(transaction, change))) return false
    const takesOut = before !== null && keep < before.size
    if (takesOut)
      await holdOwners(
        transaction,
        sql.fragment`chain_id = ${chainId} and label in (
          select label from asp_set where chain_id = ${chainId} and position >= ${keep})`,
      )
    const starts = Array.from({ length: Math.ceil(labels.length / SLICE) }, (_, place) => place * SLICE)
    const sliceAt = (start: number) => sql.array(labels.slice(start, start + SLICE), 'numeric')
    for (const start of starts)
      await holdOwners(transaction, sql.fragment`chain_id = ${chainId} and label = any(${sliceAt(start)})`)
    if (takesOut)
      await transaction.query(sql.typeAlias('void')`
        delete from asp_set where chain_id = ${chainId} and position >= ${keep}`)
    for (const start of starts)
      await transaction.query(sql.typeAlias('void')`
        insert into asp_set (chain_id, position, label)
        select ${chainId}, ${keep + start} + place - 1, label
        from unnest(${sliceAt(start)}) with ordinality as added (label, place)`)
    return true
  })
}

async function replaceState(
  transaction: CommonQueryMethods,
  { chainId, before, keep, labels, after }: AspSetChange,
): Promise<boolean> {
  const size = keep + labels.length
  const frontier = sql.array(after.frontier.map(String), 'numeric')
  const written = before
    ? await transaction.query(sql.typeAlias('void')`
        update asp_set_state
        set root = ${after.root}, size = ${size}, frontier = ${frontier}, lineage = ${after.lineage}::uuid
        where chain_id = ${chainId} and root = ${before.root} and size = ${before.size}
          and lineage = ${before.lineage}::uuid`)
    : await transaction.query(sql.typeAlias('void')`
        insert into asp_set_state (chain_id, root, size, frontier, lineage)
        values (${chainId}, ${after.root}, ${size}, ${frontier}, ${after.lineage}::uuid) on conflict do nothing`)
  return written.rowCount === 1
}

/** Locks the accounts that own deposits with these labels against deletion until the transaction ends. */
async function holdOwners(
  transaction: CommonQueryMethods,
  condition: ReturnType<typeof sql.fragment>,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    select from account where id in (
      select account_id from stealth_address where address in (
        select account from pool_event where kind = 'deposit' and ${condition}))
    order by id for key share`)
}
