import { setImmediate } from 'node:timers/promises'
import type { DatabasePool } from 'slonik'
import {
  countReceived,
  listAddressHoldings,
  listFundedAddresses,
  type AddressHoldingRow,
  type FundedAddressRow,
  type ReceivedRow,
} from '../../../db/account/balances/address-holdings.ts'
import { listPrivatelyFunded } from '../../../db/chain/indexer/read-pool-events.ts'
import type { DescribeApp } from '../addresses/addresses.ts'
import type { Price, Prices } from '../../market/prices/prices.ts'
import { summarizePricing } from '../../market/prices/summarize-pricing.ts'
import { keyOf, type TokenId, type TokenKey } from '../../market/tokens/token-id.ts'
import type { Token, Tokens } from '../../market/tokens/tokens.ts'
import type { KnownTokens } from '../provenance/provenance.ts'
import type { AddressTokenBalance, FundedAddress, FundedAddresses, FundedAddressQuery } from './balances.ts'
import { listShownTokens } from './list-shown-tokens.ts'

/** Where funded addresses and their worth come from. */
export interface FundedAddressSources {
  database: DatabasePool
  tokens: Tokens
  prices: Prices
  chainNames: ReadonlyMap<number, string>
  describeApp: DescribeApp
}

interface Known {
  tokens: Map<TokenKey, Token | null>
  prices: Map<TokenKey, Price | null>
}

/** Addresses that are read and described at a time: a few milliseconds, after which other requests have their turn. */
const SLICE = 100

/**
 * The addresses that hold something, with their holdings: three queries for each hundred of them, and four for all.
 * Tokens beyond `catalog.maxUnlisted` are left out as {@link listShownTokens} says, unless the query names one.
 */
export async function readFundedAddresses(
  sources: FundedAddressSources,
  accountId: string,
  query: FundedAddressQuery,
): Promise<FundedAddresses & { known: KnownTokens }> {
  const { database } = sources
  const { address, chainId, token } = query
  const filter = { accountId, address, chainId, token }
  const page = { limit: query.limit ?? null, offset: query.offset ?? 0 }
  const list = (narrowed: typeof filter & { tokens?: readonly TokenId[] }) =>
    listFundedAddresses(database, narrowed, page)
  const [shown, whole] = await Promise.all([listShownTokens(sources, accountId), list(filter)])
  // A token that the query names is always shown.
  const named = token !== undefined && chainId !== undefined ? [{ chainId, address: token }] : null
  const narrowed = shown.isLimited && token === undefined ? { ...filter, tokens: shown.tokens } : filter
  const { rows, total } = narrowed === filter ? whole : await list(narrowed)

  const known: Known = { tokens: new Map(), prices: new Map() }
  const read = createSliceReader({ ...sources, known }, narrowed, [...shown.tokens, ...(named ?? [])])
  const addresses: FundedAddress[] = []
  for (let start = 0; start < rows.length; start += SLICE) {
    if (start > 0) await setImmediate()
    addresses.push(...(await read(rows.slice(start, start + SLICE))))
  }
  return { addresses, total, known }
}

/** Reads addresses slice by slice; tokens and prices are read once for all of them. */
function createSliceReader(
  { database, tokens, prices, chainNames, describeApp, known }: FundedAddressSources & { known: Known },
  only: { chainId?: number | undefined; token?: string | undefined; tokens?: readonly TokenId[] },
  trusted: readonly TokenId[],
) {
  async function learn(ids: ReadonlyMap<TokenKey, TokenId>): Promise<void> {
    const fresh = [...ids].filter(([key]) => !known.tokens.has(key))
    if (fresh.length === 0) return
    const unknown = fresh.map(([, id]) => id)
    const [learnt, priced] = await Promise.all([tokens.learnMany(unknown), prices.read(unknown)])
    for (const [key] of fresh) {
      known.tokens.set(key, learnt.get(key) ?? null)
      known.prices.set(key, priced.get(key) ?? null)
    }
  }

  function describe(row: AddressHoldingRow, received: ReadonlyMap<TokenKey, ReceivedRow>) {
    const key = keyOf(idOf(row))
    const token = known.tokens.get(key)
    const chainName = chainNames.get(row.chainId)
    if (!token || chainName === undefined) return []
    const receive = received.get(key)
    const balance: AddressTokenBalance = {
      token,
      chainName,
      available: row.free,
      pending: row.locked,
      price: known.prices.get(key) ?? null,
      receiveCount: receive?.receiveCount ?? 0,
      lastReceivedAt: receive?.lastReceivedAt ?? null,
    }
    return [balance]
  }

  return async (rows: readonly FundedAddressRow[]): Promise<FundedAddress[]> => {
    const addresses = rows.map((row) => row.address)
    const [holdings, receives, privately] = await Promise.all([
      listAddressHoldings(database, addresses, only),
      countReceived(database, addresses, { tokens: trusted }),
      listPrivatelyFunded(database, addresses),
    ])
    const told = receives.flatMap((row) => idOf(row) ?? [])
    await learn(new Map([...holdings.map((row) => idOf(row)), ...told].map((id) => [keyOf(id), id])))
    const holdingsOf = Map.groupBy(holdings, (row) => row.address)
    const receivesOf = Map.groupBy(receives, (row) => row.address)
    const privatelyAt = new Map(privately.map(({ address, at }) => [address, at]))

    return rows.map((row): FundedAddress => {
      const received = receivesOf.get(row.address) ?? []
      const byToken = new Map(
        received.flatMap((one) => {
          const id = idOf(one)
          return id ? [[keyOf(id), one] as const] : []
        }),
      )
      const honest = [...byToken].filter(([key]) => known.tokens.get(key)?.spam === false)
      const balances = (holdingsOf.get(row.address) ?? []).flatMap((holding) => describe(holding, byToken))
      const { totalUsd } = summarizePricing(
        balances.map(({ available, pending, token: { decimals }, price }) => ({
          amount: available + pending,
          decimals,
          price,
        })),
      )
      return {
        address: row.address,
        derivationNonce: row.derivationNonce,
        lastPrivatelyFundedAt: privatelyAt.get(row.address) ?? null,
        usedApps: row.usedOrigins.map(describeApp),
        summary: {
          receiveCount: sum(honest.map(([, one]) => one)),
          rawReceiveCount: sum(received),
          assetCount: honest.length,
          chainCount: new Set(honest.map(([, one]) => one.chainId)).size,
        },
        balances,
        totalUsd,
      }
    })
  }
}

function idOf(row: AddressHoldingRow): TokenId
function idOf(row: ReceivedRow): TokenId | null
/** The database's addresses are checksummed: to do so again, for every row, would cost more than all else. */
function idOf({ chainId, token }: AddressHoldingRow | ReceivedRow): TokenId | null {
  return chainId === null || token === null ? null : { chainId, address: token }
}

const sum = (rows: readonly ReceivedRow[]) =>
  rows.reduce((total, { receiveCount }) => total + receiveCount, 0)
