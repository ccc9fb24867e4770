import { zeroAddress } from 'viem'
import type { Price, Prices } from '../../market/prices/prices.ts'
import { keyOf, type TokenId } from '../../market/tokens/token-id.ts'
import type { Tokens } from '../../market/tokens/tokens.ts'

/** What a token is worth to the service. Prices are units of 10^-30 dollars per whole token or coin. */
export interface FeeWorth {
  /** The newest usable price, to be shown; null without one. */
  shownUsd: bigint | null
  /** By which prices a fee is reckoned; null where none can be taken in the token. */
  exchange: { nativeUsd: bigint; tokenUsd: bigint } | null
  /** By which price the books count; null for a token that is not listed, and without a fresh price. */
  bookedUsd: bigint | null
  isListed: boolean
}

/** Decides in which tokens fees may be taken, and at which prices. */
export interface FeePrices {
  /**
   * @param token With its decimals; for the native coin and what is at par with it, `exchange` is not needed.
   * @throws ServiceError `unavailable` while the chain does not say what a token's pools hold.
   */
  read(token: TokenId & { decimals: number }): Promise<FeeWorth>
}

/** How deep the pools of tokens are. */
export interface Depths {
  /**
   * Whether the configured pools would give the native coin for the tokens now, at most of their price.
   * @param prices Units of 10^-30 dollars.
   * @throws ServiceError `unavailable` while the chain does not answer.
   */
  isDeep(
    token: TokenId & { decimals: number },
    prices: { tokenUsd: bigint; nativeUsd: bigint },
  ): Promise<boolean>
}

/** What fees are judged by. */
export interface FeePricesParts {
  prices: Pick<Prices, 'read'>
  tokens: Pick<Tokens, 'isListed'>
  depths: Depths
  config: { feePriceMaxAgeMs: number }
}

/**
 * Fees are taken in a token that the operator listed, or that pools would exchange now: any issuer can have a price provider
 * list a token. Only fresh prices count. The books count listed tokens alone, because the issuer of any other can take
 * a fee back.
 */
export function createFeePrices({ prices, tokens, depths, config }: FeePricesParts): FeePrices {
  const freshOf = (price: Price | null | undefined) =>
    price && Date.now() - price.observedAt.getTime() <= config.feePriceMaxAgeMs ? price.usd : null
  return {
    async read(token) {
      const native = { chainId: token.chainId, address: zeroAddress }
      const worth = await prices.read([token, native])
      const [price, nativePrice] = [worth.get(keyOf(token)), worth.get(keyOf(native))]
      const [tokenUsd, nativeUsd] = [freshOf(price), freshOf(nativePrice)]
      const isListed = tokens.isListed(token)
      const known = tokenUsd !== null && nativeUsd !== null ? { nativeUsd, tokenUsd } : null
      const isTaken = known !== null && (isListed || (await depths.isDeep(token, known)))
      return {
        shownUsd: price?.usd ?? null,
        exchange: isTaken ? known : null,
        bookedUsd: isListed ? tokenUsd : null,
        isListed,
      }
    },
  }
}
