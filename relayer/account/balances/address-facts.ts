import type { DatabasePool } from 'slonik'
import { getAddress, type Address } from 'viem'
import { listIndexedChains, readChainFacts } from '../../../db/account/addresses/chain-facts.ts'
import { listAddressHoldings } from '../../../db/account/balances/address-holdings.ts'
import { NO_FACTS, type AddressBalance, type AddressFactReader } from '../addresses/address-facts.ts'
import type { Prices } from '../../market/prices/prices.ts'
import { summarizePricing } from '../../market/prices/summarize-pricing.ts'
import { usdToNumber, valueInUsd } from '../../market/prices/usd.ts'
import { keyOf, type TokenId } from '../../market/tokens/token-id.ts'
import type { Tokens } from '../../market/tokens/tokens.ts'
import { listShownTokens } from './list-shown-tokens.ts'

/** Sources of facts about addresses. */
export interface AddressFactSources {
  database: DatabasePool
  tokens: Pick<Tokens, 'learnMany' | 'isListed' | 'maxUnlisted'>
  prices: Prices
}

/** Reads the activity of addresses, and their holdings on request. The number of queries does not grow with the addresses. */
export function createAddressFacts(sources: AddressFactSources): AddressFactReader {
  const { database } = sources
  return {
    async read(addresses, { accountId, includeBalances }) {
      const [rows, checkedChainIds, summaries] = await Promise.all([
        readChainFacts(database, accountId, addresses),
        listIndexedChains(database),
        includeBalances ? summarize(sources, accountId, addresses) : new Map<Address, Summary>(),
      ])
      const facts = rows.map(({ address, ...row }) => {
        const checksummed = getAddress(address)
        return [checksummed, { ...NO_FACTS, ...row, ...summaries.get(checksummed) }] as const
      })
      return { facts: new Map(facts), checkedChainIds }
    },
  }
}

interface Summary {
  balances: readonly AddressBalance[]
  totalUsdBalance: number | null
}

async function summarize(
  { database, tokens, prices }: AddressFactSources,
  accountId: string,
  addresses: readonly Address[],
): Promise<ReadonlyMap<Address, Summary>> {
  const shown = await listShownTokens({ database, tokens }, accountId)
  const holdings = await listAddressHoldings(database, addresses, shown.isLimited ? shown : {})
  const ids = [...new Map(holdings.map((row) => [keyOf(idOf(row)), idOf(row)])).values()]
  const [known, worth] = await Promise.all([tokens.learnMany(ids), prices.read(ids)])
  const summaries = [...Map.groupBy(holdings, ({ address }) => address)].map(([address, rows]) => {
    const described = rows.flatMap(({ chainId, token, free, locked }) => {
      const id = idOf({ chainId, token })
      const about = known.get(keyOf(id))
      return about ? [{ about, amount: free + locked, price: worth.get(keyOf(id)) ?? null }] : []
    })
    const { totalUsd } = summarizePricing(
      described.map(({ about, amount, price }) => ({ amount, decimals: about.decimals, price })),
    )
    const balances = described.map(({ about, amount, price }): AddressBalance => ({
      chainId: about.chainId,
      token: about.address,
      amount,
      tokenSymbol: about.symbol,
      decimals: about.decimals,
      logoUrl: about.logoUri,
      usdAmount: price && usdToNumber(valueInUsd(amount, about.decimals, price)),
    }))
    const totalUsdBalance = totalUsd === null ? null : usdToNumber(totalUsd)
    return [getAddress(address), { balances, totalUsdBalance }] as const
  })
  return new Map(summaries)
}

/** Expects a checksummed address, as the database returns it. */
const idOf = ({ chainId, token }: { chainId: number; token: Address }): TokenId => ({
  chainId,
  address: token,
})
