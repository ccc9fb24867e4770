import { isAddressEqual, zeroAddress, type Address } from 'viem'
import type { ChainConfig } from '../../../chain/nodes/config.ts'
import { type FoundBridge, listBridgeRoutes } from '../../venues/bridge/bridge-venues.ts'
import { swapUnavailable } from '../../errors.ts'
import type { KindContext } from '../quote-kind.ts'
import { quoteCrossChain, type CrossChainAsk, type CrossChainOffer } from './quote-cross-chain.ts'

/** The two tokens of a path, and a fact about the recipient. The zero address is a chain's coin. */
export interface CrossChainEnds {
  tokenIn: Address
  tokenOut: Address
  /** The recipient has code other than a delegation: a bridge then pays wrapped coins instead of coins. */
  isContract: boolean
}

/** A path from a token of one chain to a token of another, by way of a token that a bridge carries. */
export interface CrossChainPath {
  bridge: FoundBridge
  /** The spent token is exchanged for the bridge's input token. */
  swapsBefore: boolean
  /** The bridge's output token is exchanged for the wanted token. */
  swapsAfter: boolean
  /**
   * The bridge pays a handler contract that pays the recipient. The handler makes the exchange, or ensures that a
   * wrapped coin is not paid as coin.
   */
  usesHandler: boolean
}

/** Most paths with an exchange on both chains that are tried. */
const MAX_TWICE = 4

/**
 * Lists the paths between two tokens, in groups of equal worth, the best first. The order is: no exchange, one before
 * the bridge (its outcome is certain once signed), one after it, both.
 */
export function listCrossChainPaths(
  bridges: readonly FoundBridge[],
  ends: CrossChainEnds,
): CrossChainPath[][] {
  const paths = bridges
    .map((bridge) => pathOver(bridge, ends))
    .filter(({ bridge, usesHandler }) => !usesHandler || bridge.route.handler !== null)
  const having = (before: boolean, after: boolean) =>
    paths.filter(({ swapsBefore, swapsAfter }) => swapsBefore === before && swapsAfter === after)
  return [
    having(false, false),
    having(true, false),
    having(false, true),
    having(true, true).slice(0, MAX_TWICE),
  ].filter((group) => group.length > 0)
}

function pathOver(bridge: FoundBridge, { tokenIn, tokenOut, isContract }: CrossChainEnds): CrossChainPath {
  const { origin, destination, inputToken, outputToken } = bridge.route
  const bringsCoin = isSameAsset(destination.config, zeroAddress, outputToken)
  const isUnwrappedThere = bringsCoin && tokenOut === zeroAddress && isContract
  const swapsAfter = isUnwrappedThere || !isSameAsset(destination.config, tokenOut, outputToken)
  return {
    bridge,
    swapsBefore: !isSameAsset(origin.config, tokenIn, inputToken),
    swapsAfter,
    usesHandler: swapsAfter || (bringsCoin && tokenOut !== zeroAddress),
  }
}

/** True if a bridge carries this token; a bridge carries a coin in its wrapped form. */
function isSameAsset({ wrappedNative }: ChainConfig, token: Address, carried: Address): boolean {
  if (token !== zeroAddress) return isAddressEqual(token, carried)
  return wrappedNative !== undefined && isAddressEqual(carried, wrappedNative)
}

/**
 * Chooses the best path between two chains for an amount: of those with the fewest exchanges, the one with the largest
 * output.
 * @throws ServiceError `bad-gateway` SWAP_UNAVAILABLE without a path; as the venues do.
 */
export async function chooseCrossChain(context: KindContext, ask: CrossChainAsk): Promise<CrossChainOffer> {
  const bridges = listBridgeRoutes(context.sending.chain, ask.destination)
  for (const group of listCrossChainPaths(bridges, ask)) {
    const asked = await Promise.allSettled(group.map((path) => quoteCrossChain(context, ask, path)))
    const [best] = asked
      .flatMap((answer) => (answer.status === 'fulfilled' && answer.value ? [answer.value] : []))
      .sort((a, b) => (a.expected < b.expected ? 1 : -1))
    if (best) return best
    const refused = asked.find((answer) => answer.status === 'rejected')
    if (refused) throw refused.reason
  }
  throw swapUnavailable()
}
