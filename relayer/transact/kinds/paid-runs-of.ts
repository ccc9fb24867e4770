import type { Recipient } from '../safety/recipient.ts'
import type { PaidRuns } from './quote-plan.ts'

/** Which runs of intents that only pay a recipient need the very recipient. */
export function paidRunsOf({ owned, isPlain }: Pick<Recipient, 'owned' | 'isPlain'>): PaidRuns {
  if (owned) return 'none'
  return isPlain ? 'first' : 'every'
}
