import { keyOf, tokenIdOf, type TokenId } from '../../market/tokens/token-id.ts'
import type { Token } from '../../market/tokens/tokens.ts'
import { readFeeRate, type TokenRate } from '../fees/read-fee-rate.ts'
import { readServiceFee } from '../fees/read-service-fee.ts'
import type { ServiceFeeTerms } from '../fees/service-fee.ts'
import type { QuoteParts } from './quote-parts.ts'
import type { SendingChain } from '../intents/sending-chain.ts'
import type { SpendingPlan } from '../kinds/quote-plan.ts'
import { tokenMetadataUnavailable } from '../../market/errors.ts'

/** What holds for all that an account spends of a token now. */
export interface Prepared {
  sending: SendingChain
  token: Token
  rate: TokenRate
  terms: ServiceFeeTerms
}

/**
 * Reads the token, its fee rate and the account's terms.
 * @throws ServiceError as readFeeRate does; `unavailable` TOKEN_METADATA_UNAVAILABLE.
 */
export async function prepareQuote(
  parts: QuoteParts,
  accountId: string,
  sending: SendingChain,
  { token: address, isNativeAtPar }: SpendingPlan,
): Promise<Prepared> {
  const [terms, { token, rate }] = await Promise.all([
    readServiceFee(parts, accountId),
    describeToken(parts, tokenIdOf(sending.chainId, address)).then(async (token) => ({
      token,
      rate: await readFeeRate(parts, token, isNativeAtPar),
    })),
  ])
  return { sending, token, rate, terms }
}

async function describeToken({ tokens }: Pick<QuoteParts, 'tokens'>, id: TokenId): Promise<Token> {
  const token = (await tokens.find(id)) ?? (await tokens.learnMany([id])).get(keyOf(id))
  if (token) return token
  throw tokenMetadataUnavailable('The decimals of that token cannot be learnt now')
}
