import type { CommonQueryMethods } from 'slonik'
import { listRelayedNotes, listSpentNotes, type SpentNote } from '../../../db/pool/book/note-progress.ts'
import { readFinalHeads } from '../../../db/transact/due-orders.ts'
import type { ChainConfig } from '../../chain/nodes/config.ts'
import type { ToldSpend } from '../../pool/book/book-content.ts'
import type { BookedPool } from '../../pool/book/pool-books.ts'
import { hashesOf, type SpendFacts } from './spend-progress.ts'

/** Longest time for which a chain without new blocks, or without an index, holds a spend open. */
const LONGEST_LAG_MS = 600_000

/** Parts for reading spends. */
export interface SpendFactParts {
  database: CommonQueryMethods
  /** The served chains. */
  chains: readonly Pick<ChainConfig, 'chainId' | 'confirmations'>[]
}

/** Reads the chain's and the relayer's present facts about the notes of spends from one pool. */
export async function readSpendFacts(
  { database, chains }: SpendFactParts,
  { chainId, address }: BookedPool,
  spends: readonly ToldSpend[],
): Promise<SpendFacts> {
  const key = { chainId, pool: address }
  const hashes = spends.flatMap(hashesOf)
  // A chain that is no longer served keeps its indexed facts.
  const chain = chains.find((one) => one.chainId === chainId) ?? { chainId, confirmations: 0 }
  const [spent, relayed, [head]] = await Promise.all([
    listSpentNotes(database, key, hashes),
    listRelayedNotes(database, key, hashes),
    readFinalHeads(database, [chain]),
  ])
  const now = Date.now()
  return {
    spent: new Map(spent.map((note) => [note.nullifierHash, note])),
    relayed,
    finalBlock: head?.block ?? -1n,
    indexedUntil: Math.max((head?.time ?? 0) * 1_000, now - LONGEST_LAG_MS),
    now,
  }
}

/** Lists the spent notes of a spend, in the order of its parts. */
export const listEnds = (spend: ToldSpend, { spent }: Pick<SpendFacts, 'spent'>): SpentNote[] =>
  hashesOf(spend).flatMap((hash) => spent.get(hash) ?? [])
