import { zeroAddress, type Address } from 'viem'
import { NATIVE_ASSET, type ChainConfig } from '../../chain/nodes/config.ts'

/** Symbols of a token and of its chain's native coin; decimals are 0 if unknown. */
interface NamedToken {
  symbol: string
  decimals: number
  nativeSymbol: string
}

/** Names a token of the books: by the configuration, else as its sources describe it. */
export function nameBookedToken(
  { token, symbol, decimals }: { token: Address; symbol: string | null; decimals: number | null },
  config: ChainConfig | undefined,
): NamedToken {
  const nativeSymbol = config?.nativeSymbol ?? '?'
  if (token === zeroAddress || token === NATIVE_ASSET)
    return { symbol: nativeSymbol, decimals: 18, nativeSymbol }
  const asset = config?.relayer?.assets.find((one) => one.asset === token)
  return {
    symbol: asset?.symbol ?? symbol ?? '?',
    decimals: asset?.decimals ?? decimals ?? 0,
    nativeSymbol,
  }
}
