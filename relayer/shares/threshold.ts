/** A client may hold this many times what is still free. */
const TIMES_FREE = 2

/**
 * Returns the most that a client may hold by a dynamic threshold: twice what would still be free. Alone it gets two thirds,
 * n equal clients get 2/(2n+1) each, and a newcomer always finds something.
 *
 * @param free Units that no client holds.
 * @param own The client's present amount.
 */
export const mostOf = (free: number, own: number): number => ((free + own) * TIMES_FREE) / (1 + TIMES_FREE)
