import { ServiceRefusal, SubmissionFailed } from 'stealth-relay/client'

/** Steps at which nothing has been handed to the service. A proof is missing: others of the order may be handed over. */
const BEFORE_SENDING: ReadonlySet<string> = new Set(['signing', 'preparing', 'loading'])

/** Whether an order that ended with an error at a step moved no money for sure. A lost answer leaves it open. */
export const isUnsent = (error: unknown, state: string): boolean =>
  BEFORE_SENDING.has(state) ||
  error instanceof SubmissionFailed ||
  (state === 'submitting' && error instanceof ServiceRefusal && error.status < 500)
