/** A client may have this many times what is still free. */
const TIMES_FREE = 2

/**
 * The most that a client may have of something, by a dynamic threshold: twice what would still be free. Alone it gets two
 * thirds, n equal clients get 2/(2n+1) each, and whoever comes next always finds something.
 *
 * @param free What nobody has.
 * @param own What the client has.
 */
export const mostOf = (free: number, own: number): number => ((free + own) * TIMES_FREE) / (1 + TIMES_FREE)
