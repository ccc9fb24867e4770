import { parseUnits, type Address } from 'viem'
import type { DevnetAddresses } from './deploy/devnet-addresses.ts'
import { NATIVE, TOKENS } from './deploy/devnet-assets.ts'

/** A token that Across carries between the devnet's chains. Plain data, as it crosses the process border. */
export interface BridgedToken {
  /** Tokens of one asset are each other's on two chains. */
  asset: string
  token: Address
  symbol: string
  decimals: number
  /** The least and the most that is carried at once, smallest unit, as decimal strings. */
  minimum: string
  maximum: string
}

/** Lists the bridged tokens: the coin, wrapped, and the dollar. The euro has to be exchanged. */
export function listBridgedTokens({ wrappedNative, tokens: [dollar] }: DevnetAddresses): BridgedToken[] {
  const limits = (decimals: number, minimum: string, maximum: string) => ({
    decimals,
    minimum: String(parseUnits(minimum, decimals)),
    maximum: String(parseUnits(maximum, decimals)),
  })
  return [
    { asset: 'ETH', token: wrappedNative, symbol: 'WETH', ...limits(NATIVE.decimals, '0.0001', '100') },
    { asset: 'USD', token: dollar, symbol: TOKENS[0].symbol, ...limits(TOKENS[0].decimals, '1', '300000') },
  ]
}
