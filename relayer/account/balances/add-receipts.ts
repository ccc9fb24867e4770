import { setImmediate } from 'node:timers/promises'
import type { DatabasePool } from 'slonik'
import { countReceived, type ReceivedRow } from '../../../db/account/balances/address-holdings.ts'
import { listPrivatelyFunded } from '../../../db/chain/indexer/read-pool-events.ts'
import { summarizePricing } from '../../market/prices/summarize-pricing.ts'
import type { Prices } from '../../market/prices/prices.ts'
import { keyOf, type TokenId } from '../../market/tokens/token-id.ts'
import type { Tokens } from '../../market/tokens/tokens.ts'
import type { FundedAddress, ReceivingAddress } from './balances.ts'
import { learnTokens, type LearntTokens } from './read-funded-addresses.ts'

/** Addresses whose receipts are read and described at a time. */
const SLICE = 500

/**
 * Adds how addresses were paid: two queries for each five hundred of them.
 *
 * @param shown Tokens that receipts are told of one by one.
 */
export async function addReceipts(
  sources: { database: DatabasePool; tokens: Tokens; prices: Prices },
  addresses: readonly FundedAddress[],
  shown: readonly TokenId[],
  known: LearntTokens,
): Promise<readonly ReceivingAddress[]> {
  const described: ReceivingAddress[] = []
  for (let start = 0; start < addresses.length; start += SLICE) {
    if (start > 0) await setImmediate()
    const slice = addresses.slice(start, start + SLICE)
    const names = slice.map(({ address }) => address)
    const [receives, privately] = await Promise.all([
      countReceived(sources.database, names, { tokens: shown }),
      listPrivatelyFunded(sources.database, names),
    ])
    await learnTokens(
      sources,
      receives.flatMap((row) => idOf(row) ?? []),
      known,
    )
    const receivesOf = Map.groupBy(receives, ({ address }) => address)
    const privatelyAt = new Map(privately.map(({ address, at }) => [address, at]))
    for (const one of slice)
      described.push({
        ...addReceiptsOf(one, receivesOf.get(one.address) ?? [], known),
        lastPrivatelyFundedAt: privatelyAt.get(one.address) ?? null,
      })
  }
  return described
}

function addReceiptsOf(
  { balances, ...one }: FundedAddress,
  received: readonly ReceivedRow[],
  known: LearntTokens,
): Omit<ReceivingAddress, 'lastPrivatelyFundedAt'> {
  const byToken = new Map(
    received.flatMap((row) => {
      const id = idOf(row)
      return id ? [[keyOf(id), row] as const] : []
    }),
  )
  const honest = [...byToken].filter(([key]) => known.tokens.get(key)?.spam === false).map(([, row]) => row)
  const { totalUsd } = summarizePricing(
    balances.map(({ available, pending, token: { decimals }, price }) => ({
      amount: available + pending,
      decimals,
      price,
    })),
  )
  return {
    ...one,
    summary: {
      receiveCount: sum(honest),
      rawReceiveCount: sum(received),
      assetCount: honest.length,
      chainCount: new Set(honest.map(({ chainId }) => chainId)).size,
    },
    balances: balances.map((balance) => {
      const receipt = byToken.get(keyOf(balance.token))
      return {
        ...balance,
        receiveCount: receipt?.receiveCount ?? 0,
        lastReceivedAt: receipt?.lastReceivedAt ?? null,
      }
    }),
    totalUsd,
  }
}

/** The database's addresses are checksummed: to do so again, for every row, would cost more than all else. */
const idOf = ({ chainId, token }: ReceivedRow): TokenId | null =>
  chainId === null || token === null ? null : { chainId, address: token }

const sum = (rows: readonly ReceivedRow[]) =>
  rows.reduce((total, { receiveCount }) => total + receiveCount, 0)
