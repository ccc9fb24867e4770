import type { SpentNote } from '../../../db/pool/book/note-progress.ts'
import type { ToldSpend } from '../../pool/book/book-content.ts'
import type { QuoteStatus } from '../transact.ts'
import { isSubmitted } from './find-spend.ts'

/** How a told spend stands by what the chain shows. `manual_review`: a note was spent otherwise than was told. */
export type SpendExecution = 'pending' | 'succeeded' | 'partial' | 'failed' | 'manual_review'

/** What the chain and the relayer show of a spend's notes, by nullifier hash. */
export interface SpendFacts {
  spent: ReadonlyMap<bigint, SpentNote>
  relayed: ReadonlySet<bigint>
  /** Milliseconds since 1970. */
  now: number
}

/** How a submitted spend stands. */
export function executionOf({ parts, until }: ToldSpend, { spent, now }: SpendFacts): SpendExecution {
  const ends = new Set(
    parts.map(({ withdraws, spentBy }) => {
      const end = spentBy && spent.get(spentBy.nullifierHash)
      if (!end) return 'open'
      return end.newCommitment === spentBy.newCommitment && end.withdrawn === withdraws
        ? 'as-told'
        : 'otherwise'
    }),
  )
  if (ends.has('otherwise')) return 'manual_review'
  if (!ends.has('open')) return 'succeeded'
  if (until > now) return 'pending'
  return ends.has('as-told') ? 'partial' : 'failed'
}

/** Why a spend is not what was told; null while it may be. */
export function explainSpend(execution: SpendExecution, spent: number, told: number): string | null {
  if (execution === 'manual_review') return 'A note was spent otherwise than was told: compare pool/state'
  return execution === 'failed' || execution === 'partial'
    ? `${spent} of ${told} withdrawals were relayed in time`
    : null
}

/** The status of a told spend as clients of quotes know it. */
export function spendStatusOf(spend: ToldSpend, facts: SpendFacts): QuoteStatus {
  if (!isSubmitted(spend)) {
    if (spend.isUnlocked) return 'unlocked'
    return spend.until > facts.now ? 'locked' : 'expired'
  }
  const hashes = spend.parts.flatMap(({ spentBy }) => spentBy?.nullifierHash ?? [])
  const isUnderWay = hashes.some((hash) => facts.relayed.has(hash) && !facts.spent.has(hash))
  const execution = executionOf(spend, facts)
  if (execution === 'succeeded' || execution === 'manual_review') return 'confirmed'
  if (execution !== 'pending') return isUnderWay ? 'stuck' : 'failed'
  return isUnderWay || hashes.some((hash) => facts.spent.has(hash)) ? 'pending' : 'queued'
}
