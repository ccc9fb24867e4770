import { InvalidInputError, type CommonQueryMethods } from 'slonik'

/** A row that the database refused, and the SQLSTATE. Messages are omitted, because they may quote addresses. */
export interface RefusedRow<Row> {
  row: Row
  code: string
}

/**
 * Classes of SQLSTATE for statements that fail because of their values, and would fail again. They are cardinality, data,
 * integrity, a trigger's exception, and limits such as the size of an index row.
 */
const BY_VALUES = new Set(['21', '22', '23', 'P0', '54'])

/**
 * The SQLSTATE of an error that the values of a statement caused. Null for others, such as a lost connection or a deadlock,
 * where a retry can succeed.
 */
export function findRefusal(error: unknown): string | null {
  if (error instanceof InvalidInputError) return '22P02'
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string' && BY_VALUES.has(cause.code.slice(0, 2)))
      return cause.code
  return null
}

/** Writes rows by a statement that writes all given rows or none. Returns the rows that the database refused. */
export type WriteRows = <Row>(
  connection: CommonQueryMethods,
  rows: readonly Row[],
  write: (connection: CommonQueryMethods, rows: readonly Row[]) => Promise<unknown>,
) => Promise<readonly RefusedRow<Row>[]>

/** Writes all rows by one statement, which throws when the database refuses one of them. */
export const writeTogether: WriteRows = async (connection, rows, write) => {
  if (rows.length > 0) await write(connection, rows)
  return []
}
