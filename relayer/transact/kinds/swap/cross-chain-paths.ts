import { isAddressEqual, zeroAddress, type Address } from 'viem'
import type { ChainConfig } from '../../../chain/nodes/config.ts'
import type { FoundBridge } from '../../venues/bridge/bridge-venues.ts'

/** Tokens between which a way is looked for, and who gets the second. The zero address is a chain's coin. */
export interface CrossChainEnds {
  tokenIn: Address
  tokenOut: Address
  /** The recipient has code that is no delegation: a bridge pays such an address wrapped coins for coins. */
  isContract: boolean
}

/** A way from a token of one chain to a token of another: over a token that a bridge carries. */
export interface CrossChainPath {
  bridge: FoundBridge
  /** The token that is spent is exchanged for the one that the bridge takes. */
  swapsBefore: boolean
  /** What the bridge brings is exchanged for the token that is wanted. */
  swapsAfter: boolean
  /**
   * The bridge pays a contract that pays the recipient: it makes the exchange, or keeps a wrapped coin from being paid as
   * coin.
   */
  usesHandler: boolean
}

/** Ways with an exchange on both chains that are tried at most. */
const MAX_TWICE = 4

/**
 * The ways between two tokens, in groups of equal worth, the best first: without any exchange, with one before the bridge,
 * whose outcome is certain once it is signed, with one after it, with both.
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

/** Whether a token is the one that a bridge carries; a bridge carries a coin as the wrapped one. */
function isSameAsset(
  { wrappedNative }: Pick<ChainConfig, 'wrappedNative'>,
  token: Address,
  carried: Address,
): boolean {
  if (token !== zeroAddress) return isAddressEqual(token, carried)
  return wrappedNative !== undefined && isAddressEqual(carried, wrappedNative)
}
