import { tokenIdOf } from '../../market/tokens/token-id.ts'
import type { Token } from '../../market/tokens/tokens.ts'
import { readToken } from '../read-token.ts'
import { readFeeRate, type TokenRate } from '../fees/read-fee-rate.ts'
import { readServiceFee } from '../fees/read-service-fee.ts'
import type { ServiceFeeTerms } from '../fees/service-fee.ts'
import type { QuoteParts } from './quote-parts.ts'
import type { SendingChain } from '../intents/sending-chain.ts'
import type { SpendingPlan } from '../kinds/quote-plan.ts'

/** Facts for everything that an account spends of a token now. */
export interface Prepared {
  sending: SendingChain
  token: Token
  rate: TokenRate
  terms: ServiceFeeTerms
}

/** Terms for recoveries, for apps' calls and for free quotes, which do not use up a waiver. */
const NO_SERVICE_FEE: ServiceFeeTerms = { serviceFeeBps: 0, discountBps: 0, waived: false }

/**
 * Reads the token, its fee rate and the account's terms.
 * @throws ServiceError as readFeeRate does; `unavailable` TOKEN_METADATA_UNAVAILABLE.
 */
export async function prepareQuote(
  parts: QuoteParts,
  accountId: string,
  sending: SendingChain,
  { token: address, isNativeAtPar, funding, price }: SpendingPlan,
): Promise<Prepared> {
  if (funding.from === 'service') {
    const rate = await readFeeRate(parts, funding.token, true)
    // The sent item is no money, and there are no fees to price.
    return {
      sending,
      token: funding.token,
      rate: { ...rate, tokenUsd: 0n, bookedUsd: 0n },
      terms: NO_SERVICE_FEE,
    }
  }
  const bps = price === 'deposit' ? parts.config.depositFeeBps : parts.config.serviceFeeBps
  const [terms, { token, rate }] = await Promise.all([
    price === 'gas' ? NO_SERVICE_FEE : readServiceFee(parts, accountId, bps),
    readToken(parts, tokenIdOf(sending.chainId, address)).then(async (token) => ({
      token,
      rate: await readFeeRate(parts, token, isNativeAtPar),
    })),
  ])
  return { sending, token, rate, terms }
}
