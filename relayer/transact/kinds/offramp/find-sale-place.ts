import { isAddressEqual, type Address } from 'viem'
import type { Chain } from '../../../chain/nodes/chain.ts'
import { tokenIdOf } from '../../../market/tokens/token-id.ts'
import { listBridgeRoutes, type FoundBridge } from '../../venues/bridge/bridge-venues.ts'
import type { CashOutOffer } from '../../venues/cash-out/cash-out-venue.ts'
import { findCashOutVenue, type FoundCashOut } from '../../venues/cash-out/cash-out-venues.ts'
import { cashOutUnsupported } from '../../venues/cash-out/errors.ts'
import type { KindContext } from '../quote-kind.ts'

/** The escrow that sells a token, and the route to it. */
export interface SalePlace extends FoundCashOut {
  /** The escrow's chain. */
  at: Chain
  /** The token that the escrow sells. */
  token: Address
  /** Carries the spent token to the escrow's chain; null if the escrow is on the same chain. */
  bridge: (FoundBridge & { route: { handler: Address } }) | null
}

/**
 * Finds the escrow that sells a token of the context's chain: on that chain, or on another by way of a bridge.
 * @throws ServiceError `bad-request` CASH_OUT_UNSUPPORTED if no venue sells the token.
 */
export function demandSalePlace(
  { chains, sending }: KindContext,
  { token, ...asked }: { token: Address; escrowChainId?: number | null | undefined },
): SalePlace {
  const escrowChainId = asked.escrowChainId ?? sending.chainId
  const at = chains.get(escrowChainId)
  const found = at && findCashOutVenue(at)
  if (!found) throw cashOutUnsupported(`Nothing is sold for money on chain ${escrowChainId}`)
  const sells = (one: Address) => found.offer.tokens.some((sold) => isAddressEqual(sold, one))
  const spent = tokenIdOf(sending.chainId, token).address
  if (escrowChainId === sending.chainId) {
    if (!sells(spent))
      throw cashOutUnsupported(`${spent} is not sold for money: swap into ${listOf(found.offer)}`)
    return { ...found, at, token: spent, bridge: null }
  }
  for (const { venue, route } of listBridgeRoutes(sending.chain, at)) {
    const { handler, inputToken, outputToken } = route
    if (handler !== null && isAddressEqual(inputToken, spent) && sells(outputToken))
      return { ...found, at, token: outputToken, bridge: { venue, route: { ...route, handler } } }
  }
  throw cashOutUnsupported(`No bridge takes ${spent} to where it is sold for money: swap it first`)
}

const listOf = ({ tokens }: CashOutOffer) => tokens.join(' or ')

/** @throws ServiceError `bad-request` CASH_OUT_UNSUPPORTED unless the method pays the currency. */
export function demandMethod(
  { methods }: CashOutOffer,
  { paymentMethod, currency }: { paymentMethod: string; currency: string },
): void {
  const method = methods.find((one) => one.paymentMethod === paymentMethod)
  if (!method) {
    const known = methods.map((one) => one.paymentMethod).join(', ')
    throw cashOutUnsupported(`paymentMethod: expected one of ${known}`)
  }
  if (!method.currencies.includes(currency))
    throw cashOutUnsupported(`currency: ${paymentMethod} pays ${method.currencies.join(', ')}`)
}
