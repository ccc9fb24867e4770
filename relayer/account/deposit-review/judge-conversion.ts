/** Reasons why an asset cannot be converted now. */
export const UNAVAILABLE_REASONS = [
  'no_pool',
  'sending_not_offered',
  'likely_spam',
  'locked',
  'below_minimum',
  'fees_exceed_amount',
  'above_maximum',
  'pool_refreshing',
] as const
/** One of {@link UNAVAILABLE_REASONS}. */
export type UnavailableReason = (typeof UNAVAILABLE_REASONS)[number]

/** The facts that decide whether an asset can be converted. Amounts are in the token's smallest unit. */
export interface ConversionFacts {
  isSpam: boolean
  /** True if the service sends on the chain. */
  isSending: boolean
  /** Null if the account has no pool of the token; `refreshing` while the pools are being read. */
  pool: { minDeposit: bigint; maxDeposit: bigint } | null | 'refreshing'
  available: bigint
  locked: bigint
  /** The part of `available` that would enter the pool after fees, vetting fee included; null while costs are unknown. */
  deposited: bigint | null
}

/** Returns why an asset cannot be converted now; null if it can. Permanent reasons come before passing ones. */
export function judgeConversion(facts: ConversionFacts): UnavailableReason | null {
  const { pool, available } = facts
  if (facts.isSpam) return 'likely_spam'
  if (!facts.isSending) return 'sending_not_offered'
  if (pool === null) return 'no_pool'
  if (pool === 'refreshing') return 'pool_refreshing'
  if (available === 0n && facts.locked > 0n) return 'locked'
  const least = pool.minDeposit > 0n ? pool.minDeposit : 1n
  if (available < least) return 'below_minimum'
  const deposited = facts.deposited ?? available
  if (deposited < least) return 'fees_exceed_amount'
  return deposited > pool.maxDeposit ? 'above_maximum' : null
}
