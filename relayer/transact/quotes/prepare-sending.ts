import type { Address } from 'viem'
import { keyOf, tokenIdOf, type TokenId } from '../../market/tokens/token-id.ts'
import type { Token } from '../../market/tokens/tokens.ts'
import { ServiceError } from '../../service-error.ts'
import { readFeeRate, type TokenRate } from '../fees/read-fee-rate.ts'
import { readServiceFee } from '../fees/read-service-fee.ts'
import type { ServiceFeeTerms } from '../fees/service-fee.ts'
import type { QuoteParts } from './quote-parts.ts'
import { openSendingChain, type SendingChain } from '../intents/sending-chain.ts'

/** What holds for all that an account sends of a token now. */
export interface Sending {
  sending: SendingChain
  token: Token
  rate: TokenRate
  terms: ServiceFeeTerms
}

/** @throws ServiceError as openSendingChain and readFeeRate do; `unavailable` TOKEN_METADATA_UNAVAILABLE. */
export async function prepareSending(
  parts: QuoteParts,
  accountId: string,
  { chainId, token: address }: { chainId: number; token: Address },
): Promise<Sending> {
  const sending = await openSendingChain(parts, chainId)
  const [terms, { token, rate }] = await Promise.all([
    readServiceFee(parts, accountId),
    describeToken(parts, tokenIdOf(chainId, address)).then(async (token) => ({
      token,
      rate: await readFeeRate(parts, token),
    })),
  ])
  return { sending, token, rate, terms }
}

async function describeToken({ tokens }: Pick<QuoteParts, 'tokens'>, id: TokenId): Promise<Token> {
  const token = (await tokens.find(id)) ?? (await tokens.learnMany([id])).get(keyOf(id))
  if (token) return token
  throw new ServiceError('unavailable', 'The decimals of that token cannot be learnt now', {
    code: 'TOKEN_METADATA_UNAVAILABLE',
  })
}
