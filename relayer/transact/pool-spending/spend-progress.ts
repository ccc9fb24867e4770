import { type SpentNote, listRelayedNotes, listSpentNotes } from '../../../db/pool/book/note-progress.ts'
import type { ToldSpend } from '../../pool/book/book-content.ts'
import type { RelayStatus } from '../transact.ts'
import { stateByClock } from '../quotes/quote-machine.ts'
import type { BookedPool, PoolBooks } from '../../pool/book/pool-books.ts'
import type { QuoteState } from '../../../db/transact/quotes.ts'
import type { CommonQueryMethods } from 'slonik'
import { readFinalHeads } from '../../../db/transact/bridge-orders.ts'
import type { ChainConfig } from '../../chain/nodes/config.ts'

/** Status of a reported spend, by the facts on the chain. `manual_review`: a note was spent otherwise than reported. */
export type SpendExecution = 'pending' | 'succeeded' | 'partial' | 'failed' | 'manual_review'

/** The facts of chain and relayer about a spend's notes, by nullifier hash. */
export interface SpendFacts {
  spent: ReadonlyMap<bigint, SpentNote>
  relayed: ReadonlySet<bigint>
  /** Newest block that is indexed and final; -1 without any. */
  finalBlock: bigint
  /** Time up to which all blocks are indexed, milliseconds since 1970. */
  indexedUntil: number
  /** Milliseconds since 1970. */
  now: number
}

/**
 * Returns the status of a submitted spend. Only final blocks end it. One without a withdrawal fails once the chain is
 * indexed beyond its deadline and no relay of its notes is pending.
 */
export function executionOf(spend: ToldSpend, facts: SpendFacts): SpendExecution {
  const ends = new Set(
    spend.parts.map(({ withdraws, spentBy }) => {
      const end = spentBy && facts.spent.get(spentBy.nullifierHash)
      if (!end) return 'open'
      if (end.blockNumber > facts.finalBlock) return 'not-final'
      return end.newCommitment === spentBy.newCommitment && end.withdrawn === withdraws
        ? 'as-told'
        : 'otherwise'
    }),
  )
  if (ends.has('not-final')) return 'pending'
  if (ends.has('otherwise')) return 'manual_review'
  if (!ends.has('open')) return 'succeeded'
  if (isUnderWay(spend, facts) || spend.until > Math.min(facts.now, facts.indexedUntil)) return 'pending'
  return ends.has('as-told') ? 'partial' : 'failed'
}

/** Explains how a spend differs from the reported one; null while it may still match. */
export function explainSpend(execution: SpendExecution, spent: number, told: number): string | null {
  if (execution === 'manual_review') return 'A note was spent otherwise than reported: compare pool/state'
  return execution === 'failed' || execution === 'partial'
    ? `${spent} of ${told} withdrawals were relayed in time`
    : null
}

/** Returns the status of a reported spend in the terms of quotes. */
export function spendStatusOf(spend: ToldSpend, facts: SpendFacts): RelayStatus['status'] {
  const state = stateByClock(spendStateOf(spend), spend.until <= facts.now)
  if (state !== 'submitted') return state
  const execution = executionOf(spend, facts)
  if (execution === 'manual_review') return 'manual_review'
  if (execution === 'succeeded') return 'confirmed'
  if (execution !== 'pending') return 'failed'
  if (isUnderWay(spend, facts)) return spend.until > facts.now ? 'pending' : 'stuck'
  return hashesOf(spend).some((hash) => facts.spent.has(hash)) ? 'pending' : 'queued'
}

/** True if the relayer has a note that is not spent yet, as far as the chain is indexed. */
const isUnderWay = (spend: ToldSpend, { relayed, spent }: SpendFacts): boolean =>
  hashesOf(spend).some((hash) => relayed.has(hash) && !spent.has(hash))

/** Returns the reported nullifier hashes of a spend, in the order of its parts. */
const hashesOf = ({ parts }: ToldSpend): bigint[] =>
  parts.flatMap(({ spentBy }) => spentBy?.nullifierHash ?? [])

/** A reported spend with the pool of its book. */
interface FoundSpend {
  pool: BookedPool
  spend: ToldSpend
}

/** Finds the reported spend of that id, in any pool; null if the account has none. */
export async function findSpend(
  books: PoolBooks,
  accountId: string,
  quoteId: string,
): Promise<FoundSpend | null> {
  for (const { pool, book } of await books.readAll(accountId)) {
    const spend = book.content.spends.find(({ id }) => id === quoteId)
    if (spend) return { pool, spend }
  }
  return null
}

/** Returns the state of a spend, without regard to the clock. The chain alone shows the end of a submitted one. */
export const spendStateOf = (spend: ToldSpend): Extract<QuoteState, 'locked' | 'submitted' | 'unlocked'> =>
  isSubmitted(spend) ? 'submitted' : spend.isUnlocked ? 'unlocked' : 'locked'

/** True if the client reported the hashes of the spend's withdrawals. */
export const isSubmitted = ({ parts }: ToldSpend): boolean => parts.every(({ spentBy }) => spentBy !== null)

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
export const listEnds = (spend: ToldSpend, { spent }: SpendFacts): SpentNote[] =>
  hashesOf(spend).flatMap((hash) => spent.get(hash) ?? [])
