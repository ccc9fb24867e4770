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

/**
 * Maps items concurrently, or one after the other with `isApart`. Apart, no two of them are in one batch of requests. Throws
 * the first failure; apart, later items are not started.
 */
export async function mapApart<Item, Answer>(
  items: readonly Item[],
  isApart: boolean,
  run: (item: Item, place: number) => Promise<Answer>,
): Promise<Answer[]> {
  if (!isApart) return Promise.all(items.map(run))
  const answers: Answer[] = []
  for (const [place, item] of items.entries()) answers.push(await run(item, place))
  return answers
}
