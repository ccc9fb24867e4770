/** How long a SpokePool takes a deposit, in seconds, as its contract says. */
export interface DepositBuffers {
  /** A quote timestamp may be so old at most. */
  quoteTime: number
  /** A fill deadline may be so far ahead at most. */
  fillDeadline: number
}

/** What deadlines depend on. Seconds since 1970 by the clock of the chain in question. */
export interface ChainClocks {
  /** Of the origin's newest block. */
  origin: number
  /** When a transaction that is sent to the origin now would be mined. */
  originNext: number
  /** Of the destination's newest block. */
  destination: number
}

/** Times of a deposit. Seconds since 1970. */
export interface DepositDeadlines {
  quoteTimestamp: number
  /** By the destination's clock. */
  fillDeadline: number
  /** By the origin's clock: the contract refuses the deposit later, or too little time would be left to fill it. */
  depositUntil: number
}

/** A quote timestamp of the service is taken over while it is no older than this. */
const MAX_SUGGESTED_AGE = 600
/** Seconds between the last moment of an intent and the one at which the contract would refuse it. */
const MARGIN = 30
/** A deposit that lives shorter is not worth signing. */
const MIN_LIFE = 60

/**
 * The times of a deposit that is mined soon, null where the two clocks leave none. A suggested timestamp is trusted no
 * further than the chain's clock bears it out: ahead of it, or older than the buffer, it would burn the intent.
 * @param fillSeconds How long fillers have, from the later of both heads; shorter where the origin's buffer says so.
 */
export function chooseDeadlines(
  { origin, originNext, destination }: ChainClocks,
  buffers: DepositBuffers,
  { suggested, fillSeconds }: { suggested: number; fillSeconds: number },
): DepositDeadlines | null {
  // A chain that mines on demand may have stood still for hours: its next block has the present time.
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
    // Half of the time to fill is left even for a deposit at the last moment.
    originNext + Math.floor(left / 2),
  )
  return depositUntil - originNext < MIN_LIFE ? null : { quoteTimestamp, fillDeadline, depositUntil }
}
