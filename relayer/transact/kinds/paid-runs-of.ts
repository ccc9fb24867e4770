import type { Recipient } from '../safety/recipient.ts'
import type { PaidRuns } from './quote-plan.ts'

/** Returns which runs of a plain payment need the real recipient. */
export function paidRunsOf({ owned, isPlain }: Pick<Recipient, 'owned' | 'isPlain'>): PaidRuns {
  if (owned) return 'none'
  return isPlain ? 'first' : 'every'
}
