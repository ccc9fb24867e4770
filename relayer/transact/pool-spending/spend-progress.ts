import type { SpentNote } from '../../../db/pool/book/note-progress.ts'
import type { ToldSpend } from '../../pool/book/book-content.ts'
import type { QuoteStatus } from '../transact.ts'
import { isSubmitted } from './find-spend.ts'

/** The status of an announced spend, by the facts on the chain. `manual_review`: a note was spent otherwise than announced. */
export type SpendExecution = 'pending' | 'succeeded' | 'partial' | 'failed' | 'manual_review'

/** The facts of chain and relayer about a spend's notes, by nullifier hash. */
export interface SpendFacts {
  spent: ReadonlyMap<bigint, SpentNote>
  relayed: ReadonlySet<bigint>
  /** The newest block that is indexed and final; -1 where none is. */
  finalBlock: bigint
  /** All blocks until then are indexed, milliseconds since 1970. */
  indexedUntil: number
  /** Milliseconds since 1970. */
  now: number
}

/**
 * The status of a submitted spend. Only final blocks end it. One without a withdrawal fails once the chain is indexed beyond
 * its deadline and no relay of its notes is under way.
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

/** Why a spend differs from the announced one; null while it may not. */
export function explainSpend(execution: SpendExecution, spent: number, told: number): string | null {
  if (execution === 'manual_review') return 'A note was spent otherwise than was told: compare pool/state'
  return execution === 'failed' || execution === 'partial'
    ? `${spent} of ${told} withdrawals were relayed in time`
    : null
}

/** The status of an announced spend as clients of quotes know it. */
export function spendStatusOf(spend: ToldSpend, facts: SpendFacts): QuoteStatus {
  if (!isSubmitted(spend)) {
    if (spend.isUnlocked) return 'unlocked'
    return spend.until > facts.now ? 'locked' : 'expired'
  }
  const execution = executionOf(spend, facts)
  if (execution === 'manual_review') return 'manual_review'
  if (execution === 'succeeded') return 'confirmed'
  if (execution !== 'pending') return 'failed'
  if (isUnderWay(spend, facts)) return spend.until > facts.now ? 'pending' : 'stuck'
  return hashesOf(spend).some((hash) => facts.spent.has(hash)) ? 'pending' : 'queued'
}

/** Whether a note is with the relayer and not spent yet, as far as the chain is indexed. */
const isUnderWay = (spend: ToldSpend, { relayed, spent }: SpendFacts): boolean =>
  hashesOf(spend).some((hash) => relayed.has(hash) && !spent.has(hash))

/** The announced nullifier hashes of a spend, in the order of its parts. */
export const hashesOf = ({ parts }: ToldSpend): bigint[] =>
  parts.flatMap(({ spentBy }) => spentBy?.nullifierHash ?? [])
