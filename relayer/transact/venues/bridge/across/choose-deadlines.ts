/** Time limits of a SpokePool for deposits, in seconds, as its contract has them. */
export interface DepositBuffers {
  /** Highest age of a quote timestamp. */
  quoteTime: number
  /** Longest time until a fill deadline. */
  fillDeadline: number
}

/** Inputs of the deadlines. Seconds since 1970 by each chain's own clock. */
export interface ChainClocks {
  /** Time of the origin's newest block. */
  origin: number
  /** Expected time of a transaction that is sent to the origin now. */
  originNext: number
  /** Time of the destination's newest block. */
  destination: number
}

/** Times of a deposit. Seconds since 1970. */
export interface DepositDeadlines {
  quoteTimestamp: number
  /** By the destination's clock. */
  fillDeadline: number
  /** By the origin's clock: later the contract refuses the deposit, or too little time is left to fill it. */
  depositUntil: number
}

/** Highest age at which the service's suggested quote timestamp is used. */
const MAX_SUGGESTED_AGE = 600
/** Seconds between the intent's deadline and the contract's refusal. */
const MARGIN = 30
/** Shortest life of a deposit that is worth signing. */
const MIN_LIFE = 60

/**
 * Chooses the times of a deposit that is mined soon; null if the two clocks leave none. A suggested timestamp ahead of
 * the chain's clock, or older than the buffer, would burn the intent and is not used.
 * @param fillSeconds Time for fillers, from the later of both heads; shorter if the origin's buffer demands it.
 */
export function chooseDeadlines(
  { origin, originNext, destination }: ChainClocks,
  buffers: DepositBuffers,
  { suggested, fillSeconds }: { suggested: number; fillSeconds: number },
): DepositDeadlines | null {
  // A chain that mines on demand may have paused for hours: its next block has the present time.
  const oldest = originNext - Math.floor(buffers.quoteTime / 2)
  const isUsable = suggested <= origin && suggested > origin - MAX_SUGGESTED_AGE && suggested >= oldest
  const quoteTimestamp = isUsable ? suggested : Math.max(origin, oldest)
  const fillDeadline = Math.min(
    Math.max(originNext, destination) + fillSeconds,
    origin + buffers.fillDeadline,
  )
  const left = fillDeadline - Math.max(originNext, destination)
  const depositUntil = Math.min(
    quoteTimestamp + buffers.quoteTime - MARGIN,
    // Even a deposit at the last moment leaves half of the time to fill.
    originNext + Math.floor(left / 2),
  )
  return depositUntil - originNext < MIN_LIFE ? null : { quoteTimestamp, fillDeadline, depositUntil }
}
