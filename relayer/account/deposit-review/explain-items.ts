import type { Provenance } from '../provenance/provenance.ts'
import type { ReviewItem } from './deposit-review.ts'
import type { LoadedItem } from './load-items.ts'
import type { ReviewMarket } from './load-market.ts'

/** Adds the sources of their funds to the items of a page; the number of queries does not grow with the items. */
export async function explainItems(
  provenance: Pick<Provenance, 'explainHoldings'>,
  accountId: string,
  { known, worth }: Pick<ReviewMarket, 'known' | 'worth'>,
  items: readonly (LoadedItem & Pick<ReviewItem, 'status'>)[],
): Promise<ReviewItem[]> {
  const explained = await provenance.explainHoldings(
    accountId,
    items.flatMap(({ assets }) => assets.map(({ facts }) => facts)),
    { known: { tokens: known, prices: worth } },
  )
  return items.map((item) => {
    const sources = item.assets.flatMap(({ facts }) => explained.of(facts).describedSources)
    return {
      ...item,
      assets: item.assets.map((asset) => ({
        ...asset,
        receives: explained.receivesOf(item.address, asset.facts),
      })),
      sources: [...new Map(sources.map((source) => [source.id, source])).values()].toSorted((a, b) =>
        a.id < b.id ? -1 : 1,
      ),
      receives: explained.receivesOf(item.address),
    }
  })
}
