import { FIVE_MINUTES, HOUR, roundUpTo } from '../intents/batch-gas.ts'
import type { QuotePlan } from '../kinds/quote-plan.ts'
import type { QuotesConfig } from './config.ts'

/** Rounded up, it stays below the 25 hours that wallets accept, even if a wallet's clock is five minutes slow. */
const LONGEST_SECONDS = 24 * HOUR - FIVE_MINUTES

/**
 * Chooses the end of a quote's intents, in seconds since 1970. The end is public in the calldata, and an exact one
 * would link the intents of a quote. So it is rounded up to one that many accounts share.
 */
export function chooseExpiry(
  {
    isVolatile,
    isShortLived,
    executeBefore,
  }: Pick<QuotePlan, 'isVolatile' | 'isShortLived' | 'executeBefore'>,
  { graceSeconds, volatileLifeSeconds }: Pick<QuotesConfig, 'graceSeconds' | 'volatileLifeSeconds'>,
  { now, expiresAt }: { now: number; expiresAt: Date },
): bigint {
  const last = Math.floor(expiresAt.getTime() / 1_000) + graceSeconds
  const chosen =
    isVolatile || isShortLived === true
      ? roundUpTo(FIVE_MINUTES, Math.min(last, Math.ceil(now / 1_000) + volatileLifeSeconds))
      : roundUpTo(HOUR, Math.min(last, Math.floor(now / 1_000) + LONGEST_SECONDS))
  return BigInt(Math.min(chosen, executeBefore ?? chosen))
}
