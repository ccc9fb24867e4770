import type { DescribedToken, TokenMarket } from '../../../relayer/market/tokens/tokens.ts'
import type { AnswerOf } from '../../define/encode.ts'
import type { token as tokenShape } from './model.ts'
import type { tokenMarket } from './token-market.ts'

/** A token with the additional members that `include` lists. */
export function describeToken({ token, market, sources }: DescribedToken): AnswerOf<typeof tokenShape> {
  return {
    address: token.address,
    symbol: token.symbol,
    name: token.name,
    decimals: token.decimals,
    chainId: token.chainId,
    logoURI: token.logoUri,
    isPartnerToken: token.isPartner,
    visibility: token.visibility,
    metadataSource: token.metadataSource,
    market: market && describeMarket(market),
    sources,
  }
}

function describeMarket({ figures, ...market }: TokenMarket): AnswerOf<typeof tokenMarket> {
  return { ...market, ...figures }
}
