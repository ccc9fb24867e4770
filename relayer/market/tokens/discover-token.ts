import type { NewTokenSource } from '../../../db/market/tokens/token-sources.ts'
import { MAX_DECIMALS, MAX_NAME_LENGTH, MAX_SYMBOL_LENGTH, safeLogo } from './load-token-list.ts'
import type { ContractMetadata } from './read-metadata.ts'
import { sanitizeText } from './sanitize-text.ts'
import type { TokenId } from './token-id.ts'
import type { ProviderToken } from './token-provider.ts'
import { CHAIN_SOURCE } from './token-of-sources.ts'

/** Builds the stored source of a contract's answer. */
export function sourceOfContract(id: TokenId, metadata: ContractMetadata): NewTokenSource {
  return {
    ...sanitizeTexts(metadata),
    chainId: id.chainId,
    address: id.address,
    source: CHAIN_SOURCE,
    sourceId: `${id.chainId}:${id.address}`,
    decimals: metadata.decimals,
    totalSupply: metadata.totalSupply,
    logoUrl: null,
    externalUrl: null,
  }
}

/** Builds the stored source of a provider's answer. */
export function sourceOfProvider(id: TokenId, provider: string, told: ProviderToken): NewTokenSource {
  const { decimals } = told
  const isUsable =
    decimals !== null && Number.isInteger(decimals) && decimals >= 0 && decimals <= MAX_DECIMALS
  return {
    ...sanitizeTexts(told),
    chainId: id.chainId,
    address: id.address,
    source: provider,
    sourceId: sanitizeText(told.sourceId, 128).text,
    decimals: isUsable ? decimals : null,
    totalSupply: null,
    logoUrl: safeLogo(told.logoUrl),
    externalUrl: safeLogo(told.externalUrl),
  }
}

function sanitizeTexts(told: { symbol: string; name: string }) {
  const symbol = sanitizeText(told.symbol, MAX_SYMBOL_LENGTH)
  const name = sanitizeText(told.name, MAX_NAME_LENGTH)
  return { symbol: symbol.text, name: name.text, wasHidden: symbol.wasHidden || name.wasHidden }
}
