import type { DatabasePool } from 'slonik'
import type { Address } from 'viem'
import { listUsesOfAddresses } from '../../../db/addresses/dapp-uses.ts'
import {
  countFundedAddresses,
  countReceived,
  listAddressHoldings,
  listFundedAddresses,
  type AddressHoldingRow,
  type ReceivedRow,
} from '../../../db/holdings/address-holdings.ts'
import type { Prices } from '../../prices/prices.ts'
import { summarizePricing } from '../../prices/summarize-pricing.ts'
import { keyOf, tokenIdOf } from '../tokens/token-id.ts'
import type { Tokens } from '../tokens/tokens.ts'
import type { AddressTokenBalance, FundedAddress, FundedAddressQuery } from './balances.ts'

export interface FundedAddressSources {
  database: DatabasePool
  tokens: Tokens
  prices: Prices
  chainNames: ReadonlyMap<number, string>
}

/** The addresses that hold something, with what they hold: five queries, whatever their number. */
export async function readFundedAddresses(
  { database, tokens, prices, chainNames }: FundedAddressSources,
  accountId: string,
  query: FundedAddressQuery,
): Promise<{ addresses: readonly FundedAddress[]; total: number }> {
  const { address, chainId, token } = query
  const filter = { accountId, address, chainId, token }
  const page = { limit: query.limit ?? null, offset: query.offset ?? 0 }
  const [rows, total] = await Promise.all([
    listFundedAddresses(database, filter, page),
    countFundedAddresses(database, filter),
  ])
  const addresses = rows.map((row) => row.address)
  const [holdings, receives, uses] = await Promise.all([
    listAddressHoldings(database, addresses, { chainId, token }),
    countReceived(database, addresses),
    listUsesOfAddresses(database, addresses),
  ])
  const held = new Map(holdings.map((row) => [keyOf(idOf(row)), idOf(row)]))
  const ids = [
    ...new Map([...held, ...receives.map((row) => [keyOf(idOf(row)), idOf(row)] as const)]).values(),
  ]
  const [known, worth] = await Promise.all([tokens.learnMany(ids), prices.read([...held.values()])])

  const holdingsOf = Map.groupBy(holdings, (row) => row.address)
  const receivesOf = Map.groupBy(receives, (row) => row.address)
  const usesOf = Map.groupBy(uses, (row) => row.address)

  function describe(row: AddressHoldingRow, received: readonly ReceivedRow[]): AddressTokenBalance[] {
    const key = keyOf(idOf(row))
    const token = known.get(key)
    const chainName = chainNames.get(row.chainId)
    if (!token || chainName === undefined) return []
    const receive = received.find((one) => keyOf(idOf(one)) === key)
    return [
      {
        token,
        chainName,
        available: row.free,
        pending: row.locked,
        price: worth.get(key) ?? null,
        receiveCount: receive?.receiveCount ?? 0,
        lastReceivedAt: receive?.lastReceivedAt ?? null,
      },
    ]
  }

  const funded = rows.map((row): FundedAddress => {
    const received = receivesOf.get(row.address) ?? []
    const trusted = received.filter((one) => known.get(keyOf(idOf(one)))?.spam === false)
    const balances = (holdingsOf.get(row.address) ?? []).flatMap((holding) => describe(holding, received))
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
      lastReceivedAt: row.lastReceivedAt,
      usedOrigins: (usesOf.get(row.address) ?? []).map(({ origin }) => origin),
      summary: {
        receiveCount: sum(trusted),
        rawReceiveCount: sum(received),
        assetCount: new Set(trusted.map((one) => keyOf(idOf(one)))).size,
        chainCount: new Set(trusted.map((one) => one.chainId)).size,
      },
      balances,
      totalUsd,
    }
  })
  return { addresses: funded, total }
}

const idOf = ({ chainId, token }: { chainId: number; token: string }) => tokenIdOf(chainId, token as Address)
const sum = (rows: readonly ReceivedRow[]) =>
  rows.reduce((total, { receiveCount }) => total + receiveCount, 0)
