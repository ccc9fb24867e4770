import type { TokenSourceRow } from '../../../db/market/tokens/token-sources.ts'
import { assessSpam, type Originals } from './assess-spam.ts'
import type { TokenId } from './token-id.ts'
import type { Token } from './tokens.ts'

/** Name of the source that is the contract itself. */
export const CHAIN_SOURCE = 'chain'

/**
 * Builds the token that its sources describe: decimals from the contract if it was read, the picture from a provider.
 * Null if no source knows the decimals.
 */
export function tokenOfSources(
  id: TokenId,
  sources: readonly TokenSourceRow[],
  originals: Originals,
): Token | null {
  const contract = sources.find(({ source }) => source === CHAIN_SOURCE)
  const provider = sources.find(({ source }) => source !== CHAIN_SOURCE)
  const decimals = contract?.decimals ?? provider?.decimals ?? null
  if (decimals === null) return null
  // The contract's own texts are assessed too: a provider may show a tidier name than wallets will.
  const told = [contract, provider].filter((source) => source !== undefined)
  const spam = told.some(
    ({ symbol, name, wasHidden, totalSupply }) =>
      assessSpam(
        {
          ...id,
          symbol: symbol ?? '',
          name: name ?? '',
          wasHidden,
          totalSupply,
          isKnownToProvider: provider !== undefined,
        },
        originals,
      ).length > 0,
  )
  return {
    chainId: id.chainId,
    address: id.address,
    symbol: contract?.symbol || provider?.symbol || shorten(id.address),
    name: provider?.name || contract?.name || shorten(id.address),
    decimals,
    logoUri: provider?.logoUrl ?? null,
    visibility: spam ? 'hidden' : 'unlisted',
    metadataSource: provider ? 'provider' : 'chain',
    spam,
    isPartner: false,
  }
}

const shorten = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`
