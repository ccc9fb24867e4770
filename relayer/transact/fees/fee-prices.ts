import { membersOfToken } from '../../market/errors.ts'
import { zeroAddress } from 'viem'
import type { QuoteRow } from '../../../db/transact/quotes.ts'
import { costOf, type SendingPrice, type TransactionSize } from '../../chain/nodes/sending-price.ts'
import type { Price, Prices } from '../../market/prices/prices.ts'
import { keyOf, type TokenId } from '../../market/tokens/token-id.ts'
import type { Token, Tokens } from '../../market/tokens/tokens.ts'
import { serverBusy } from '../../errors.ts'
import { feeTokenUnpriced, quoteRefreshRequired } from '../errors.ts'
import { weiOfToken, type TokenRate } from './network-fee.ts'

/** Prices of a token as the service uses them, in units of 10^-30 dollars per whole token or coin. */
interface FeeWorth {
  /** The newest known price, for display; null without one. */
  shownUsd: bigint | null
  /** Prices for computing a fee; null if the token cannot pay fees. */
  exchange: { nativeUsd: bigint; tokenUsd: bigint } | null
  /** Price for the books; null for an unlisted token, and without a fresh price. */
  bookedUsd: bigint | null
  isListed: boolean
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

/** The network fee of a quote, or of one of its addresses, and its token. */
export type PaidFee = Pick<QuoteRow, 'chainId' | 'token' | 'tokenDecimals' | 'networkFee' | 'feeListed'>

interface FeeSources {
  prices: Prices
  tokens: Pick<Tokens, 'isListed'>
  depths: Depths
  /** Returns the present price of sending; null while it is unknown. */
  sendingPriceOf(chainId: number): SendingPrice | null
  config: { feePriceMaxAgeMs: number; gasMarginPercent: number }
}

/**
 * Decides which tokens may pay fees, and at which prices: listed ones, and those that pools would exchange now. A
 * provider's price is not enough, because any issuer can have a token listed there. Only fresh prices count. The books
 * count listed tokens alone, because the issuer of any other can take a fee back.
 */
export class FeePrices {
  readonly #sources: FeeSources

  constructor(sources: FeeSources) {
    this.#sources = sources
  }

  /** Returns the present price of sending; null while it is unknown. */
  sendingPriceOf(chainId: number): SendingPrice | null {
    return this.#sources.sendingPriceOf(chainId)
  }

  /**
   * Reads the cost of gas in a token now.
   *
   * @param isNativeAtPar The token is worth as much as the native coin, unit by unit, whether or not it has a
   * price.
   * @throws ServiceError `bad-request` FEE_TOKEN_UNPRICED for a token that cannot pay fees; `unavailable` while
   * the gas price or the depth of the token's pools is unknown.
   */
  async readRate(token: Token, isNativeAtPar: boolean): Promise<TokenRate> {
    const price = this.sendingPriceOf(token.chainId)
    if (price === null) throw serverBusy('The gas price is not known yet. Try again later.')
    const isNative = isNativeAtPar || token.address === zeroAddress
    const worth = await this.#read(
      isNative ? { chainId: token.chainId, address: zeroAddress, decimals: 18 } : token,
    )
    const { shownUsd: tokenUsd, bookedUsd, isListed, exchange } = worth
    const marginPercent = this.#sources.config.gasMarginPercent
    const terms = { price, marginPercent, tokenUsd, bookedUsd, isListed }
    if (isNative) return { ...terms, exchange: null }
    if (!exchange)
      throw feeTokenUnpriced(whyNot(token.symbol, worth), {
        details: membersOfToken(token),
      })
    return { ...terms, exchange: { ...exchange, tokenDecimals: token.decimals } }
  }

  /** Reads the wei that a signed network fee covers at present prices; null if its token cannot pay fees as quoted. */
  async readCover(fee: PaidFee, isNativeAtPar: boolean): Promise<bigint | null> {
    if (isNativeAtPar || fee.token === zeroAddress) return weiOfToken(fee.networkFee, { exchange: null })
    const { chainId, token: address, tokenDecimals, feeListed } = fee
    if (tokenDecimals === null) return null
    const { exchange, isListed } = await this.#read({ chainId, address, decimals: tokenDecimals })
    if (!exchange || isListed !== feeListed) return null
    return weiOfToken(fee.networkFee, { exchange: { ...exchange, tokenDecimals } })
  }

  /**
   * Checks that the signed fee covers the present cost of sending, because an old quote must not be a free option on gas.
   *
   * @param sizes Sizes of its transactions.
   * @param isNativeAtPar The fee's token counts as the native coin, without regard to its price.
   * @throws ServiceError QUOTE_REFRESH_REQUIRED; `unavailable` while the gas price is not known.
   */
  async demandAffordable(
    quote: PaidFee,
    { sizes, isNativeAtPar }: { sizes: readonly TransactionSize[]; isNativeAtPar: boolean },
  ): Promise<void> {
    const price = this.sendingPriceOf(quote.chainId)
    if (price === null) throw serverBusy('The chain does not answer now; try again in a moment')
    const cover = await this.readCover(quote, isNativeAtPar)
    if (cover === null) throw quoteRefreshRequired('Fees cannot be paid in this token now: refresh the quote')
    const cost = sizes.reduce((sum, size) => sum + costOf(price, size), 0n)
    if (cost > cover)
      throw quoteRefreshRequired('Sending costs more than was quoted by now: refresh the quote')
  }

  /** Reads the prices of a token with its decimals. The native coin, and tokens at par with it, need no `exchange`. */
  async #read(token: TokenId & { decimals: number }): Promise<FeeWorth> {
    const { prices, tokens, depths } = this.#sources
    const native = { chainId: token.chainId, address: zeroAddress }
    const worth = await prices.read([token, native])
    const [price, nativePrice] = [worth.get(keyOf(token)), worth.get(keyOf(native))]
    const [tokenUsd, nativeUsd] = [this.#freshOf(price), this.#freshOf(nativePrice)]
    const isListed = tokens.isListed(token)
    const known = tokenUsd !== null && nativeUsd !== null ? { nativeUsd, tokenUsd } : null
    const isTaken = known !== null && (isListed || (await depths.isDeep(token, known)))
    return {
      shownUsd: price?.usd ?? null,
      exchange: isTaken ? known : null,
      bookedUsd: isListed ? tokenUsd : null,
      isListed,
    }
  }

  #freshOf(price: Price | null | undefined): bigint | null {
    const { feePriceMaxAgeMs } = this.#sources.config
    return price && Date.now() - price.observedAt.getTime() <= feePriceMaxAgeMs ? price.usd : null
  }
}

function whyNot(symbol: string, { shownUsd, isListed }: FeeWorth): string {
  if (shownUsd === null) return `${symbol} has no price, so fees cannot be paid in it`
  return isListed
    ? `The price of ${symbol} is too old for fees to be paid in it`
    : `${symbol} is not listed and its pools are not deep enough, so fees cannot be paid in it`
}
