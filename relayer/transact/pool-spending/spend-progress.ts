import type { SpentNote } from '../../../db/pool/book/note-progress.ts'
import type { ToldSpend } from '../../pool/book/book-content.ts'
import type { QuoteStatus } from '../transact.ts'
import { stateByClock } from '../quotes/quote-machine.ts'
import { stateOf } from './find-spend.ts'

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
  if (execution === 'manual_review') return 'A note was spent otherwise than was told: compare pool/state'
  return execution === 'failed' || execution === 'partial'
    ? `${spent} of ${told} withdrawals were relayed in time`
    : null
}

/** Returns the status of a reported spend in the terms of quotes. */
export function spendStatusOf(spend: ToldSpend, facts: SpendFacts): QuoteStatus {
  const state = stateByClock(stateOf(spend), spend.until <= facts.now)
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
export const hashesOf = ({ parts }: ToldSpend): bigint[] =>
  parts.flatMap(({ spentBy }) => spentBy?.nullifierHash ?? [])
