import { zeroAddress } from 'viem'
import { z } from 'zod'
import { tokenIdOf, type TokenId } from '../../tokens/token-id.ts'
import type { CoingeckoConfig } from '../config.ts'
import type { ReportedPrice, PriceSource } from '../prices.ts'
import { parseUsd } from '../usd.ts'
import { ProviderError, type AskCoingecko, toDecimalText, platformOf } from './ask-coingecko.ts'

const MAX_USD = 10n ** 48n

/** /simple/price and /simple/token_price. Numbers are strings; coins without a price lack it or have null. */
const pricesShape = z.record(
  z.string(),
  z.object({
    usd: z.string().nullish(),
    last_updated_at: z
      .string()
      .regex(/^\d{1,12}$/)
      .nullish(),
  }),
)

const TERMS = { vs_currencies: 'usd', include_last_updated_at: 'true', precision: 'full' }

/** Creates prices by CoinGecko's API v3: contracts in batches by chain, native coins by their names in one request. */
export function createCoingeckoPrices(ask: AskCoingecko, config: CoingeckoConfig): PriceSource {
  async function read(path: string, params: Record<string, string>) {
    const answer = pricesShape.safeParse((await ask(path, { ...params, ...TERMS })) ?? {})
    if (!answer.success) throw new ProviderError('coingecko answered prices of another shape')
    return new Map(Object.entries(answer.data).map(([name, told]) => [name.toLowerCase(), told]))
  }

  async function readNative(tokens: readonly TokenId[]): Promise<ReportedPrice[]> {
    const named = tokens.flatMap((id) => {
      const { nativeId } = platformOf(id.chainId, config)
      return nativeId === undefined ? [] : [{ id, nativeId }]
    })
    if (named.length === 0) return []
    const ids = [...new Set(named.map(({ nativeId }) => nativeId))].sort()
    const told = await read('/simple/price', { ids: ids.join(',') })
    return named.flatMap(({ id, nativeId }) => toQuote(id, told.get(nativeId)))
  }

  async function readContracts(platform: string, tokens: readonly TokenId[]): Promise<ReportedPrice[]> {
    const addresses = tokens.map(({ address }) => address.toLowerCase())
    const told = await read(`/simple/token_price/${encodeURIComponent(platform)}`, {
      contract_addresses: addresses.join(','),
    })
    return tokens.flatMap((id) => toQuote(id, told.get(id.address.toLowerCase())))
  }

  return {
    name: 'coingecko',
    async read(tokens, _, tell) {
      await tell(await readNative(tokens.filter(({ address }) => address === zeroAddress)))
      const contracts = Map.groupBy(
        tokens.filter(({ address }) => address !== zeroAddress),
        ({ chainId }) => chainId,
      )
      for (const [chainId, ofChain] of contracts) {
        const { platform } = platformOf(chainId, config)
        if (platform === undefined) continue
        // Sorted by address: the order reveals nothing about the users.
        const sorted = ofChain.toSorted((a, b) => (a.address < b.address ? -1 : 1))
        for (let start = 0; start < sorted.length; start += config.batchSize)
          await tell(await readContracts(platform, sorted.slice(start, start + config.batchSize)))
      }
    },
  }
}

/** Converts an answer to a quote; none for an absent, zero, negative or absurd price. */
function toQuote(
  { chainId, address }: TokenId,
  told: { usd?: string | null | undefined; last_updated_at?: string | null | undefined } | undefined,
): ReportedPrice[] {
  const text = told?.usd ? toDecimalText(told.usd) : null
  if (text === null || text.startsWith('-')) return []
  // One absurd price must not fail the whole batch.
  if (/^\d{19}/.test(text)) return []
  const usd = parseUsd(text)
  if (usd <= 0n || usd >= MAX_USD) return []
  const observed = Number(told?.last_updated_at ?? Number.NaN) * 1_000
  // A clock that is ahead would keep an old price fresh.
  const observedAt = new Date(Number.isNaN(observed) ? Date.now() : Math.min(observed, Date.now()))
  return [{ id: tokenIdOf(chainId, address), usd, observedAt }]
}
