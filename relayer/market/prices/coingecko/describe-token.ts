import { zeroAddress } from 'viem'
import { z } from 'zod'
import { createSharedTurns } from '../../../shares/shared-turns.ts'
import type { TokenProvider } from '../../tokens/token-provider.ts'
import type { CoingeckoConfig } from '../config.ts'
import { ProviderError, type AskCoingecko, platformOf } from './ask-coingecko.ts'

/** The used parts of /coins/{platform}/contract/{address}. */
const coinShape = z.object({
  id: z.string().min(1).max(200),
  symbol: z.string().max(1_000),
  name: z.string().max(1_000),
  detail_platforms: z.record(z.string(), z.object({ decimal_place: z.string().nullish() })).catch({}),
  image: z
    .object({ small: z.string().max(2_048).nullish() })
    .nullish()
    .catch(null),
  links: z
    .object({ homepage: z.array(z.string().max(2_048).nullable()).max(100) })
    .nullish()
    .catch(null),
})

/** Maximum of requests waiting before a lookup, so that price rounds continue while clients look tokens up. */
const MOST_WAITING = 3
/** Lookups among the requests at once; the others wait for their client's turn. */
const AT_ONCE = 1

/** Creates the provider of single tokens by CoinGecko. */
export function createCoingeckoTokens(ask: AskCoingecko, config: CoingeckoConfig): TokenProvider {
  const turns = createSharedTurns({
    atOnce: AT_ONCE,
    mostWaiting: MOST_WAITING,
    refuse: () => new ProviderError('coingecko has much to answer already'),
  })
  return {
    name: 'coingecko',
    async describe({ chainId, address }) {
      const { platform } = platformOf(chainId, config)
      if (platform === undefined || address === zeroAddress) return null
      const answer = await turns.run(() =>
        ask(`/coins/${encodeURIComponent(platform)}/contract/${address.toLowerCase()}`, {}, MOST_WAITING),
      )
      if (answer === null) return null
      const parsed = coinShape.safeParse(answer)
      if (!parsed.success) throw new ProviderError('coingecko described a token in another shape')
      const { id, symbol, name, detail_platforms: platforms, image, links } = parsed.data
      const decimals = platforms[platform]?.decimal_place
      return {
        sourceId: id,
        // The provider writes all symbols in lower case.
        symbol: symbol.toUpperCase(),
        name,
        decimals: decimals && /^\d{1,3}$/.test(decimals) ? Number(decimals) : null,
        logoUrl: image?.small ?? null,
        externalUrl: links?.homepage.find(Boolean) ?? null,
      }
    },
  }
}
