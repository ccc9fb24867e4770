import { isDeepStrictEqual } from 'node:util'
import type { DatabasePool } from 'slonik'
import type { Address } from 'viem'
import { countReceived } from '../../../db/account/balances/address-holdings.ts'
import { listPrivatelyFunded } from '../../../db/chain/indexer/read-pool-events.ts'
import { nextSlice } from '../../concurrency/next-slice.ts'
import { summarizePricing } from '../../market/prices/summarize-pricing.ts'
import type { Prices } from '../../market/prices/prices.ts'
import { keyOf, type TokenId, type TokenKey } from '../../market/tokens/token-id.ts'
import type { Tokens } from '../../market/tokens/tokens.ts'
import type { FundedAddress, ReceivingAddress } from './balances.ts'
import {
  learnTokens,
  type FundedRows,
  type LearntTokens,
  type ReadReceipts,
  type TokenReceipts,
} from './read-funded-addresses.ts'

/** Addresses whose receipts are read and described at a time. */
const SLICE = 500

/** Adds the receipts to the addresses of a page: two queries per five hundred addresses, none if the page has them cached. */
export async function addReceipts(
  sources: { database: DatabasePool; tokens: Tokens; prices: Prices },
  addresses: readonly FundedAddress[],
  read: FundedRows,
  known: LearntTokens,
): Promise<readonly ReceivingAddress[]> {
  const receipts = (read.receipts ??= await readReceipts(sources.database, read))
  await learnTokens(sources, receipts.tokens, known)
  const made = read.receiving
  if (made?.addresses === addresses && isDeepStrictEqual(made.tokens, known.tokens)) return made.told
  const honest = new Map<TokenId, boolean>()
  const isHonest = (id: TokenId) => {
    const told = honest.get(id) ?? known.tokens.get(keyOf(id))?.spam === false
    honest.set(id, told)
    return told
  }
  const described: ReceivingAddress[] = []
  for (const [place, one] of addresses.entries()) {
    if (place > 0 && place % SLICE === 0) await nextSlice()
    described.push({
      ...addReceiptsOf(one, receipts.of.get(one.address) ?? [], isHonest),
      lastPrivatelyFundedAt: receipts.privatelyAt.get(one.address) ?? null,
    })
  }
  read.receiving = { addresses, tokens: new Map(known.tokens), told: described }
  return described
}

async function readReceipts(database: DatabasePool, { rows, shown }: FundedRows): Promise<ReadReceipts> {
  const ids = new Map<TokenKey, TokenId>()
  const receiptsOf = new Map<Address, TokenReceipts[]>()
  const privatelyAt = new Map<Address, Date>()
  for (let start = 0; start < rows.length; start += SLICE) {
    if (start > 0) await nextSlice()
    const names = rows.slice(start, start + SLICE).map(({ address }) => address)
    const [receives, privately] = await Promise.all([
      countReceived(database, names, { tokens: shown }),
      listPrivatelyFunded(database, names),
    ])
    for (const { address, chainId, token, receiveCount, lastReceivedAt } of receives) {
      const id = chainId === null || token === null ? null : { chainId, address: token }
      const known = id && (ids.get(keyOf(id)) ?? id)
      if (known) ids.set(keyOf(known), known)
      const before = receiptsOf.get(address) ?? []
      before.push({ id: known, receiveCount, lastReceivedAt })
      receiptsOf.set(address, before)
    }
    for (const { address, at } of privately) privatelyAt.set(address, at)
  }
  return { of: receiptsOf, privatelyAt, tokens: [...ids.values()] }
}

function addReceiptsOf(
  { balances, ...one }: FundedAddress,
  received: readonly TokenReceipts[],
  isHonest: (id: TokenId) => boolean,
): Omit<ReceivingAddress, 'lastPrivatelyFundedAt'> {
  const honest = received.filter(({ id }) => id && isHonest(id))
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
      chainCount: new Set(honest.map(({ id }) => id?.chainId)).size,
    },
    balances: balances.map((balance) => {
      // As many as the answer shows tokens.
      const receipt = received.find(
        ({ id }) => id?.address === balance.token.address && id.chainId === balance.token.chainId,
      )
      return {
        ...balance,
        receiveCount: receipt?.receiveCount ?? 0,
        lastReceivedAt: receipt?.lastReceivedAt ?? null,
      }
    }),
    totalUsd,
  }
}

const sum = (rows: readonly TokenReceipts[]) =>
  rows.reduce((total, { receiveCount }) => total + receiveCount, 0)
