import { isDeepStrictEqual } from 'node:util'
import type { CommonQueryMethods } from 'slonik'
import { zeroAddress, type Address } from 'viem'
import {
  findOwnAddresses,
  findStopAddresses,
  readReviewsOf,
  type AccountTxRow,
} from '../../db/activity/account-activity.ts'
import { listOrderShares, type OrderShare } from '../../db/activity/order-transactions.ts'
import { findSendings, type SendingRow } from '../../db/activity/pending.ts'
import { listActs, type ActRow } from '../../db/chain/indexer/own-acts.ts'
import {
  readIndexedTxs,
  readTransfersOf,
  type PartTransferRow,
} from '../../db/chain/indexer/read-activity.ts'
import { readPoolAssets, readPoolEventsOf } from '../../db/chain/indexer/read-pool-events.ts'
import type { IndexedTxRow, PoolEventRow, TransferRow } from '../../db/chain/indexer/rows.ts'
import { listConversionsOf, type PlannedConversion } from '../../db/pool/notes/pool-conversions.ts'
import { listDappCalls, type DappCallRow } from '../../db/transact/dapp-calls.ts'
import { matchRelays, type PrivateReceipt } from '../account/provenance/match-relays.ts'
import { checksumAddress } from '../chain/checksum-address.ts'
import { NATIVE_ASSET } from '../chain/nodes/config.ts'
import { keyOf, tokenIdOf, type TokenId } from '../market/tokens/token-id.ts'
import { kindOf } from '../transact/kinds/quote-kinds.ts'
import type { ActivityPool } from './activity.ts'
import { tokensOfCash } from './describe-off-ramp.ts'
import { tokensOfOrder } from './describe-order.ts'

/** Facts from quotes, cash-outs and the ASP, which the count of an account's changes does not cover. */
interface UncountedFacts {
  sendings: readonly SendingRow[]
  /** By label. */
  reviews: ReadonlyMap<bigint, ActivityPool['aspStatus']>
  conversions: readonly PlannedConversion[]
  appCalls: readonly DappCallRow[]
}

/** All facts in the database about some transactions of an account, as the account sees them. */
export interface ReadFacts extends UncountedFacts {
  rows: readonly AccountTxRow[]
  /** True if `rows` are only the first requested ones, because all together have more transfers than are read at a time. */
  isCut: boolean
  txs: readonly IndexedTxRow[]
  /** Transfers from or to addresses of the account. */
  transfers: readonly PartTransferRow[]
  /** Events whose account is one of the account's addresses. */
  poolEvents: readonly PoolEventRow[]
  shares: readonly OrderShare[]
  /** Acts of the account's addresses. */
  acts: readonly ActRow[]
  own: ReadonlySet<string>
  stops: ReadonlySet<string>
  /** Payments to the account out of pools, by {@link txKey}. */
  receiptsOf: ReadonlyMap<string, readonly PrivateReceipt[]>
  /** Tokens of pools by chain and pool, the zero address for the native coin; without unregistered pools. */
  tokenOfPool: ReadonlyMap<string, Address>
  /** True if a pool of these transactions is not registered yet. */
  lacksPool: boolean
  /** Tokens that a description of the transactions names. */
  tokens: readonly TokenId[]
}

/** Returns the key of a transaction in maps. */
export const txKey = ({ chainId, txHash }: { chainId: number; txHash: string | null }) =>
  `${chainId}:${txHash}`

/** True if quotes of the kind deposit into a pool. */
export const isDeposit = (kind: string) => kindOf(kind).activity(false).kind === 'POOL_DEPOSIT'

/** True if quotes of the kind carry an app's calls. */
export const isAppCall = (kind: string) => kindOf(kind).activity(false).kind === 'DAPP_CALL'

/** True if quotes of the kind send collectibles away. */
export const isWithdrawal = (kind: string) => kindOf(kind).activity(false).kind === 'NFT_WITHDRAW'

/**
 * Reads the facts of a page of activities, or of its first part, in a bounded number of queries. Others' transfers in
 * the same transactions are left out: one transaction may carry many accounts' payments.
 */
export async function readFacts(
  database: CommonQueryMethods,
  accountId: string,
  asked: readonly AccountTxRow[],
): Promise<ReadFacts> {
  const { transfers, of } = await readTransfersOf(database, accountId, asked)
  const rows = asked.slice(0, of)
  const [txs, allPoolEvents, sendings, shares, acts] = await Promise.all([
    readIndexedTxs(database, rows),
    readPoolEventsOf(database, rows),
    findSendings(database, accountId, rows),
    listOrderShares(database, accountId, rows),
    listActs(database, accountId, rows),
  ])
  const parties = new Set([
    ...transfers.flatMap(({ from, to }) => [from, to]),
    ...txs.map(({ from }) => from),
    ...allPoolEvents.flatMap(({ account }) => account ?? []),
    ...sendings.map(({ recipient }) => recipient),
  ])
  const own = await findOwnAddresses(database, accountId, [...parties])
  const poolEvents = allPoolEvents.filter(({ account }) => account !== null && own.has(account))
  const receiptsOf = matchReceipts(rows, transfers, allPoolEvents, own)
  const payees = [...receiptsOf.values()].flat().map(({ transfer }) => transfer.to)
  const pools = new Map(
    poolEvents.map(({ chainId, contract }) => [poolKey(chainId, contract), { chainId, pool: contract }]),
  )
  const [stops, assets, about] = await Promise.all([
    findStopAddresses(database, accountId, payees),
    pools.size > 0 ? readPoolAssets(database, [...pools.values()]) : [],
    readAbout(database, accountId, sendings, poolEvents),
  ])
  const tokenOfPool = new Map(
    assets.map(({ chainId, pool, asset }) => [
      poolKey(chainId, pool),
      asset === NATIVE_ASSET ? zeroAddress : checksumAddress(asset),
    ]),
  )
  return {
    rows,
    isCut: of < asked.length,
    txs,
    transfers,
    poolEvents,
    sendings,
    shares,
    acts,
    own,
    stops,
    receiptsOf,
    tokenOfPool,
    lacksPool: tokenOfPool.size < pools.size,
    tokens: listTokens(rows, transfers, sendings, tokenOfPool),
    ...about,
  }
}

/** Matches the account's receipts of each transaction with the relays that paid them. */
function matchReceipts(
  rows: readonly AccountTxRow[],
  transfers: ReadFacts['transfers'],
  poolEvents: readonly PoolEventRow[],
  own: ReadonlySet<string>,
): ReadFacts['receiptsOf'] {
  const receivedOf = Map.groupBy(
    transfers.filter(({ to }) => own.has(to)),
    txKey,
  )
  const eventsOf = Map.groupBy(poolEvents, txKey)
  return new Map(
    rows.map((row) => [
      txKey(row),
      matchRelays(receivedOf.get(txKey(row)) ?? [], eventsOf.get(txKey(row)) ?? []),
    ]),
  )
}

/**
 * True if the facts that the count of the account's changes does not cover are unchanged. A transaction without
 * sendings gets one only by a change that is counted.
 */
export async function areSame(
  database: CommonQueryMethods,
  accountId: string,
  { rows, sendings, poolEvents, reviews, conversions, appCalls, lacksPool }: ReadFacts,
): Promise<boolean> {
  if (lacksPool) return false
  const [sendingsNow, about] = await Promise.all([
    sendings.length > 0 ? findSendings(database, accountId, rows) : [],
    readAbout(database, accountId, sendings, poolEvents),
  ])
  return isDeepStrictEqual([sendingsNow, about], [sendings, { reviews, conversions, appCalls }])
}

async function readAbout(
  database: CommonQueryMethods,
  accountId: string,
  sendings: readonly SendingRow[],
  poolEvents: readonly PoolEventRow[],
): Promise<Omit<UncountedFacts, 'sendings'>> {
  const quotesOf = (isWanted: (kind: string) => boolean) =>
    sendings.flatMap(({ kind, quoteId }) => (isWanted(kind) ? [quoteId] : []))
  const [reviews, conversions, appCalls] = await Promise.all([
    readReviewsOf(
      database,
      poolEvents.flatMap(({ label }) => label ?? []),
    ),
    listConversionsOf(database, accountId, quotesOf(isDeposit)),
    listDappCalls(database, quotesOf(isAppCall)),
  ])
  return { reviews, conversions, appCalls }
}

/** Returns the key of a pool in maps. */
export const poolKey = (chainId: number, pool: string) => `${chainId} ${pool}`

function listTokens(
  rows: readonly AccountTxRow[],
  transfers: readonly TransferRow[],
  sendings: readonly SendingRow[],
  tokenOfPool: ReadonlyMap<string, Address>,
): readonly TokenId[] {
  const moved = transfers
    .filter(({ standard }) => standard === 'native' || standard === 'erc20')
    .map(({ chainId, token }) => tokenIdOf(chainId, token))
  // Fees are paid in native coin.
  const native = [...new Set(rows.map(({ chainId }) => chainId))].map((chainId) =>
    tokenIdOf(chainId, zeroAddress),
  )
  const exchanged = sendings.flatMap(({ chainId, token, output, order, cash }) => [
    ...(order
      ? [tokenIdOf(chainId, token), ...tokensOfOrder(order).map((one) => tokenIdOf(one.chainId, one.token))]
      : output
        ? [tokenIdOf(chainId, output.token)]
        : []),
    ...(cash ? tokensOfCash(cash).map((one) => tokenIdOf(one.chainId, one.token)) : []),
  ])
  const pooled = [...tokenOfPool].map(([key, token]) => tokenIdOf(Number(key.split(' ')[0]), token))
  return [...new Map([...moved, ...pooled, ...native, ...exchanged].map((id) => [keyOf(id), id])).values()]
}
