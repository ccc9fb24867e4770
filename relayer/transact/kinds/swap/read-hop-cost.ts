import { zeroAddress } from 'viem'
import { NO_EXTRA_FEES } from '../../../chain/nodes/sending-price.ts'
import { keyOf, type TokenId } from '../../../market/tokens/token-id.ts'
import type { Token } from '../../../market/tokens/tokens.ts'
import { networkFeeOf } from '../../fees/network-fee.ts'
import type { KindParts } from '../quote-kind.ts'

/** The approximate gas of a swap for each pool. */
const HOP = { gas: 100_000n, bytes: 0 }

/** Cap of the result: such a token is worth so little that any number will do; the contract multiplies it. */
const MOST = 2n ** 128n

/**
 * Prices the gas of one more pool at present, in the smallest unit of a token. 0 for a token that is unknown or has no
 * price, and while the gas price is unknown.
 *
 * @param token The known token; null if it is unknown.
 */
export async function readHopCost(
  { prices, sendingPriceOf }: Pick<KindParts, 'prices' | 'sendingPriceOf'>,
  id: TokenId,
  token: Token | null,
): Promise<bigint> {
  const now = sendingPriceOf(id.chainId)
  if (now === null) return 0n
  const { operatorLeast, operatorLarge } = now.extra
  // The costs of a transaction without its gas do not depend on the pools.
  const extra = { ...NO_EXTRA_FEES, operatorLarge: operatorLarge - operatorLeast }
  const rate = { price: { ...now, extra }, marginPercent: 0 }
  if (id.address === zeroAddress) return networkFeeOf(HOP, { ...rate, exchange: null })
  if (!token) return 0n
  const native = { chainId: id.chainId, address: zeroAddress }
  const worth = await prices.read([id, native])
  const [tokenUsd, nativeUsd] = [id, native].map((one) => worth.get(keyOf(one))?.usd)
  if (!tokenUsd || nativeUsd === undefined) return 0n
  const exchange = { nativeUsd, tokenUsd, tokenDecimals: token.decimals }
  const cost = networkFeeOf(HOP, { ...rate, exchange })
  return cost < MOST ? cost : MOST
}
