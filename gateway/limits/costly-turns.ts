import { serverBusy } from '../../relayer/errors.ts'
import { createSharedTurns, type SharedTurns } from '../../relayer/shares/shared-turns.ts'

/** Reads of long histories that run at once, of all clients. */
const AT_ONCE = 4
/** Of one account, so that other accounts find a place at once. */
const OF_ACCOUNT = 2

/** Creates the turns in which costly reads run. @param mostWaiting Requests in progress, all of which may be such reads. */
export const createCostlyTurns = (mostWaiting: number): SharedTurns =>
  createSharedTurns({
    atOnce: AT_ONCE,
    mostOfAccount: OF_ACCOUNT,
    mostWaiting,
    refuse: () => serverBusy('Too many long answers are being made; try again'),
  })
