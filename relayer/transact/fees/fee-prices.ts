import { zeroAddress } from 'viem'
import type { Price, Prices } from '../../market/prices/prices.ts'
import { keyOf, type TokenId } from '../../market/tokens/token-id.ts'
import type { Tokens } from '../../market/tokens/tokens.ts'

/** Prices of a token as the service uses them, in units of 10^-30 dollars per whole token or coin. */
export interface FeeWorth {
  /** The newest known price, for display; null without one. */
  shownUsd: bigint | null
  /** Prices for computing a fee; null if the token cannot pay fees. */
  exchange: { nativeUsd: bigint; tokenUsd: bigint } | null
  /** Price for the books; null for an unlisted token, and without a fresh price. */
  bookedUsd: bigint | null
  isListed: boolean
}

/** Decides which tokens may pay fees, and at which prices. */
export interface FeePrices {
  /**
   * @param token With its decimals. For the native coin and tokens at par with it, `exchange` is not needed.
   * @throws ServiceError `unavailable` while the chain does not answer about a token's pools.
   */
  read(token: TokenId & { decimals: number }): Promise<FeeWorth>
}

/** Depth of the pools of tokens. */
export interface Depths {
  /**
   * True if the configured pools would give the native coin for the tokens now, near their price.
   * @param prices Units of 10^-30 dollars.
   * @throws ServiceError `unavailable` while the chain does not answer.
   */
  isDeep(
    token: TokenId & { decimals: number },
    prices: { tokenUsd: bigint; nativeUsd: bigint },
  ): Promise<boolean>
}

/** The parts that fee prices are built from. */
export interface FeePricesParts {
  prices: Pick<Prices, 'read'>
  tokens: Pick<Tokens, 'isListed'>
  depths: Depths
  config: { feePriceMaxAgeMs: number }
}

/**
 * Creates the rule for which tokens pay fees: listed ones, and those that pools would exchange now. A provider's price
 * is not enough, because any issuer can have a token listed there. Only fresh prices count. The books count listed
 * tokens alone, because the issuer of any other can take a fee back.
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
