import type { CommonQueryMethods } from 'slonik'
import { listRelayedNotes, listSpentNotes, type SpentNote } from '../../../db/pool/book/note-progress.ts'
import type { ToldSpend } from '../../pool/book/book-content.ts'
import type { BookedPool } from '../../pool/book/pool-books.ts'
import type { SpendFacts } from './spend-progress.ts'

/** What the chain and the relayer show of the notes of spends from one pool, as of now. */
export async function readSpendFacts(
  connection: CommonQueryMethods,
  { chainId, address }: BookedPool,
  spends: readonly ToldSpend[],
): Promise<SpendFacts> {
  const key = { chainId, pool: address }
  const hashes = spends.flatMap(hashesOf)
  const [spent, relayed] = await Promise.all([
    listSpentNotes(connection, key, hashes),
    listRelayedNotes(connection, key, hashes),
  ])
  return { spent: new Map(spent.map((note) => [note.nullifierHash, note])), relayed, now: Date.now() }
}

/** The notes of a spend that the chain says are spent, in the order of its parts. */
export const listEnds = (spend: ToldSpend, { spent }: Pick<SpendFacts, 'spent'>): SpentNote[] =>
  hashesOf(spend).flatMap((hash) => spent.get(hash) ?? [])

const hashesOf = ({ parts }: ToldSpend): bigint[] =>
  parts.flatMap(({ spentBy }) => spentBy?.nullifierHash ?? [])
