import type { DatabasePool } from 'slonik'
import { getAddress } from 'viem'
import { findOwnAddresses } from '../../db/activity/account-activity.ts'
import { listPendingQuotes, type PendingRow } from '../../db/activity/pending.ts'
import { listDappCalls, type DappCallRow } from '../../db/transact/dapp-calls.ts'
import { type PlannedConversion, listConversionsOf } from '../../db/pool/notes/pool-conversions.ts'
import { listWithdrawals, type WithdrawalRow } from '../../db/transact/collectible-withdrawals.ts'
import { listRecoveries, type RecoveryRow } from '../../db/transact/pool-recoveries.ts'
import type { ChainConfig } from '../chain/nodes/config.ts'
import { explorerTxUrlBase } from '../chain/nodes/supported-chains.ts'
import { tokenIdOf } from '../market/tokens/token-id.ts'
import type { Tokens } from '../market/tokens/tokens.ts'
import type { Prices } from '../market/prices/prices.ts'
import { kindOf } from '../transact/kinds/quote-kinds.ts'
import { relayStatusOf } from '../transact/submissions/follow-quote.ts'
import type { ActivityTransfer, ActivityPool, TokenAmount } from './activity.ts'
import { cashProgressOf, executionStatusOfCash, hasNoOpenCash } from '../transact/cash-orders/cash-state.ts'
import { progressOf } from '../transact/orders/order-state.ts'
import { describeAmounts, type DescribeAmount } from './describe-amounts.ts'
import type { AppRegistry } from '../account/apps/app-registry.ts'
import type { Provenance } from '../account/provenance/provenance.ts'
import { explainPending, type FundedItem } from './explain-pending.ts'
import { describeOffRamp, tokensOfCash } from './describe-off-ramp.ts'
import { describeOrder, tokensOfOrder, type DescribedOrder, type OrderChain } from './describe-order.ts'
import { describeConversion } from './describe-conversion.ts'
import { describeApp, describeCalls } from './describe-app-call.ts'
import { isAppCall, isDeposit, isWithdrawal } from './read-facts.ts'
import { describeExchange } from './describe-exchange.ts'
import type { PendingActivity, PendingItem, PendingLifecycle } from './pending.ts'
import { ownAddressNotFound } from './errors.ts'

/** Milliseconds for which an ended item stays in the list. */
const KEPT_MS = 5 * 60_000

/** Dependencies of the pending activity. After `stuckAfterMs` without progress an item counts as stuck. */
export interface PendingOptions {
  database: DatabasePool
  chains: readonly ChainConfig[]
  tokens: Tokens
  prices: Prices
  provenance: Provenance
  apps: AppRegistry
  stuckAfterMs: number
}

/** Creates the view of pending activity, over the quotes and intents in PostgreSQL. */
export function createPendingActivity(options: PendingOptions): PendingActivity {
  const { database, chains, provenance, apps, stuckAfterMs } = options
  const chainOf = new Map(chains.map((chain) => [chain.chainId, chain]))

  return {
    async list(accountId, address) {
      if (address !== undefined && !(await findOwnAddresses(database, accountId, [address])).has(address))
        throw ownAddressNotFound()
      const rows = await listPendingQuotes(database, accountId, KEPT_MS, { address })
      if (rows.length === 0) return { items: [], groups: [] }
      const about = await readAbout(options, accountId, rows)
      const funded = rows.flatMap((row) => {
        const chain = chainOf.get(row.chainId)
        return chain
          ? describePending(row, chain, {
              ...about(row),
              stuckAfterMs,
              chainOf: (chainId) => chainOf.get(chainId),
              apps,
            })
          : []
      })
      return explainPending(provenance, accountId, funded)
    },
    async statuses(accountId, quoteIds) {
      const rows = await listPendingQuotes(database, accountId, KEPT_MS, { quoteIds })
      return rows.map((row) => ({
        quoteId: row.quoteId,
        txHash: row.txHash,
        lifecycle: lifecycleOf(row, stuckAfterMs),
        bridge: progressOf(row.order),
        offRamp: cashProgressOf(row.cash),
        updatedAt: row.updatedAt,
      }))
    },
  }
}

/** Facts about one pending quote, beside its row. */
interface AboutQuote {
  amountOf: DescribeAmount
  isSelf: boolean
  recovery: RecoveryRow | undefined
  withdrawal: WithdrawalRow | undefined
  /** The quote's deposits into a pool. */
  conversions: readonly PlannedConversion[]
  /** The app's calls in the quote. */
  appCall: DappCallRow | undefined
}

/** Reads the facts about all rows together: the number of queries does not grow with the rows. */
async function readAbout(
  { database, tokens, prices }: PendingOptions,
  accountId: string,
  rows: readonly PendingRow[],
): Promise<(row: PendingRow) => AboutQuote> {
  const ids = rows.flatMap(({ kind, chainId, token, output, order, cash }) => [
    // Collectibles are not tokens of the catalogue.
    ...(isWithdrawal(kind) ? [] : [tokenIdOf(chainId, token)]),
    ...(order
      ? tokensOfOrder(order).map((one) => tokenIdOf(one.chainId, one.token))
      : output
        ? [tokenIdOf(chainId, output.token)]
        : []),
    ...(cash ? tokensOfCash(cash).map((one) => tokenIdOf(one.chainId, one.token)) : []),
  ])
  const [known, worth, own, conversions, recoveries, withdrawals, appCalls] = await Promise.all([
    tokens.learnMany(ids),
    prices.read(ids),
    findOwnAddresses(
      database,
      accountId,
      rows.map(({ recipient }) => recipient),
    ),
    listConversionsOf(
      database,
      accountId,
      rows.flatMap(({ kind, quoteId }) => (isDeposit(kind) ? [quoteId] : [])),
    ),
    listRecoveries(
      database,
      rows.map(({ quoteId }) => quoteId),
    ),
    listWithdrawals(
      database,
      rows.flatMap(({ kind, quoteId }) => (isWithdrawal(kind) ? [quoteId] : [])),
    ),
    listDappCalls(
      database,
      rows.flatMap(({ kind, quoteId }) => (isAppCall(kind) ? [quoteId] : [])),
    ),
  ])
  const recoveryOf = new Map(recoveries.map((recovery) => [recovery.quoteId, recovery]))
  const amountOf = describeAmounts(known, worth)
  return ({ quoteId, recipient }) => ({
    amountOf,
    isSelf: own.has(recipient),
    recovery: recoveryOf.get(quoteId),
    withdrawal: withdrawals.find((one) => one.quoteId === quoteId),
    conversions: conversions.filter((one) => one.quoteId === quoteId),
    appCall: appCalls.find((one) => one.quoteId === quoteId),
  })
}

function describePending(
  row: PendingRow,
  chain: ChainConfig,
  about: AboutQuote & {
    stuckAfterMs: number
    chainOf(chainId: number): OrderChain | undefined
    apps: AppRegistry
  },
): FundedItem {
  const crossing = row.order && describeOrder(row.order, about.chainOf, about.isSelf, about.amountOf)
  const offRamp = row.cash && describeOffRamp(row.cash, row, about.chainOf, about.amountOf)
  const recovered = about.recovery && describeRecovery(row, about.recovery, about.amountOf)
  const { kind, isExchange } = kindOf(row.kind).activity(about.isSelf)
  const addresses = row.payments.map(({ address }) => address)
  const fee = row.payments.reduce((sum, payment) => sum + payment.fee, 0n)
  const item: PendingItem = {
    txHash: row.txHash,
    txHashes: [...new Set(row.txHashes)],
    quoteId: row.quoteId,
    chainId: row.chainId,
    chainName: chain.name,
    explorerTxUrlBase: explorerTxUrlBase(chain),
    date: row.submittedAt ?? row.updatedAt,
    // A cash-out that crosses to the escrow's chain is still a payment.
    kind: (offRamp ? null : crossing?.kind) ?? kind,
    executionStatus: row.cash
      ? executionStatusOfCash(row.cash)
      : (crossing?.executionStatus ?? executionStatusOf(row)),
    lifecycle: lifecycleOf(row, about.stuckAfterMs),
    isExternal: false,
    isLikelySpam: false,
    fees: fee > 0n ? [about.amountOf(row.chainId, row.token, fee)] : [],
    platformFeeBps: row.feeBps,
    fundingAddresses: addresses,
    hasMoreTransfers: false,
    transfers: recovered?.transfers ?? transfersOf(row, about, isExchange),
    swap: crossing
      ? swapOfCrossing(crossing, offRamp)
      : isExchange
        ? describeExchange(row, { executed: new Set(addresses), arrived: 0n }, about.isSelf, about.amountOf)
        : null,
    bridge: crossing?.bridge ?? null,
    offRamp,
    pool: recovered?.pool ?? describeConversion(row, about.conversions, about.amountOf),
    app: describeApp(about.appCall, addresses[0], about.apps),
    calls: describeCalls(about.appCall, null),
  }
  const [largest] = row.payments.toSorted((one, other) => (one.amount > other.amount ? -1 : 1))
  const isHeld = !about.recovery && !about.withdrawal && row.takenFrom === null && largest !== undefined
  return {
    item,
    source: isHeld ? { chainId: row.chainId, address: largest.address, token: getAddress(row.token) } : null,
  }
}

const swapOfCrossing = ({ kind, bridge }: DescribedOrder, offRamp: object | null) =>
  !offRamp && kind === 'CROSS_CHAIN_SWAP' ? bridge : null

function transfersOf(
  row: PendingRow,
  { withdrawal, amountOf, isSelf }: AboutQuote,
  isExchange: boolean,
): readonly ActivityTransfer[] {
  if (withdrawal) return describeWithdrawal(row, withdrawal)
  return isExchange ? [] : paymentsOf(row, amountOf, isSelf)
}

/**
 * Lists the transfers to the recipient: from each address, or from an escrow to its depositor, who pays the fee out
 * of it.
 */
const paymentsOf = (
  { chainId, token, recipient, payments, takenFrom }: PendingRow,
  amountOf: DescribeAmount,
  isSelf: boolean,
): ActivityTransfer[] => {
  if (takenFrom !== null)
    return payments.map(({ amount }) => ({
      ...amountOf(chainId, token, amount),
      from: takenFrom,
      to: recipient,
      tokenId: null,
      ownEnd: 'to',
    }))
  return payments
    .filter((payment) => payment.amount > payment.fee)
    .map((payment) => ({
      ...amountOf(chainId, token, payment.amount - payment.fee),
      from: payment.address,
      to: recipient,
      tokenId: null,
      ownEnd: isSelf ? 'both' : 'from',
    }))
}

/** Returns the present result of a submitted quote. */
function executionStatusOf({ status, succeededCount }: PendingRow) {
  if (status === 'confirmed') return 'succeeded'
  if (status !== 'failed') return 'pending'
  return succeededCount > 0 ? 'partial' : 'failed'
}

const FAILED_CASH = {
  deposit_failed: 'It was not deposited with the escrow',
  bridge_refunded: 'It did not reach the escrow’s chain in time: the deposit was paid back',
  bridge_fallback: 'The escrow refused it: it is at your address on the escrow’s chain',
}

const FAILED_ORDERS = {
  refunded: 'Nobody filled it on the other chain in time: the deposit was paid back',
  failed: 'It was not deposited with the bridge',
}

function lifecycleOf(row: PendingRow, stuckAfterMs: number): PendingLifecycle {
  const relayStatus = relayStatusOf(row, stuckAfterMs)
  if (row.status === 'failed') return { state: 'failed', relayStatus, reason: row.failure, blockNumber: null }
  const { order, cash } = row
  if (cash?.failureKind)
    return { state: 'failed', relayStatus, reason: FAILED_CASH[cash.failureKind], blockNumber: null }
  if (order && (order.status === 'refunded' || order.status === 'failed'))
    return { state: 'failed', relayStatus, reason: FAILED_ORDERS[order.status], blockNumber: null }
  const hasCrossed = order === null || order.status === 'completed'
  const isSold = hasNoOpenCash(cashProgressOf(cash))
  const isIndexed = hasCrossed && isSold && row.intentCount > 0 && row.indexedCount === row.intentCount
  return {
    state: isIndexed ? 'indexed' : 'in_flight',
    relayStatus,
    reason: null,
    blockNumber: isIndexed ? row.indexedBlock : null,
  }
}

/** Describes the recovery of a submitted quote: the pool's part, and the expected transfer. */
function describeRecovery(
  { chainId, token, recipient, payments }: PendingRow,
  { pool, label, aspStatus }: RecoveryRow,
  amountOf: (chainId: number, token: string, value: bigint) => TokenAmount,
): { pool: ActivityPool; transfers: readonly ActivityTransfer[] } {
  // The recovered amount pays for it.
  const amount = amountOf(chainId, token, payments[0]?.amount ?? 0n)
  const poolAddress = getAddress(pool)
  return {
    pool: { poolAddress, amount, aspStatus, commitmentId: String(label), vettingFee: null, depositFee: null },
    transfers: [{ ...amount, from: poolAddress, to: getAddress(recipient), tokenId: null, ownEnd: 'to' }],
  }
}

/** Describes the transfer of the collectible that a submitted quote sends away. */
const describeWithdrawal = (
  { chainId, recipient, payments }: PendingRow,
  { contract, tokenId }: WithdrawalRow,
): ActivityTransfer[] =>
  payments.map(({ address, amount }) => ({
    chainId,
    tokenAddress: getAddress(contract),
    token: null,
    value: amount,
    price: null,
    from: getAddress(address),
    to: getAddress(recipient),
    tokenId,
    ownEnd: 'from',
  }))
