import { zeroAddress } from 'viem'
import type { Price, Prices } from '../../market/prices/prices.ts'
import { keyOf, type TokenId } from '../../market/tokens/token-id.ts'
import type { Tokens } from '../../market/tokens/tokens.ts'

/** The prices of a token for the service, in units of 10^-30 dollars per whole token or coin. */
export interface FeeWorth {
  /** The newest usable price, to be shown; null without one. */
  shownUsd: bigint | null
  /** The prices by which a fee is computed; null where the token cannot pay fees. */
  exchange: { nativeUsd: bigint; tokenUsd: bigint } | null
  /** The price for the books; null for an unlisted token, and without a fresh price. */
  bookedUsd: bigint | null
  isListed: boolean
}

/** Decides which tokens may pay fees, and at which prices. */
export interface FeePrices {
  /**
   * @param token With its decimals; for the native coin and what is at par with it, `exchange` is not needed.
   * @throws ServiceError `unavailable` while the chain does not answer about a token's pools.
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

/** The parts that fee prices are built from. */
export interface FeePricesParts {
  prices: Pick<Prices, 'read'>
  tokens: Pick<Tokens, 'isListed'>
  depths: Depths
  config: { feePriceMaxAgeMs: number }
}

/**
 * A token pays fees if the operator listed it, or if pools would exchange it now. A provider's price is not enough, because
 * any issuer can have a token listed there. Only fresh prices count. The books count listed tokens alone, because the issuer
 * of any other can take a fee back.
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
