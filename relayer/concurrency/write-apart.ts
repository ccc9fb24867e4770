import { findRefusal, type RefusedRow, type WriteRows } from '../../db/write-rows.ts'
import { reasonOf, runContained } from './run-contained.ts'

/**
 * Writes independent rows, and leaves out those that cannot be written. Within a transaction each attempt is a savepoint.
 */
export const writeApart: WriteRows = async (connection, rows, write) => {
  const refused: RefusedRow<(typeof rows)[number]>[] = []
  await runContained(
    async (some): Promise<readonly never[]> => {
      await connection.transaction((nested) => write(nested, some))
      return []
    },
    rows,
    (error, row) => void refused.push({ row, code: findRefusal(error) ?? reasonOf(error) }),
  )
  return refused
}
