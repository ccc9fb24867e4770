import type { Address, Hash, Hex } from 'viem'
import type { BridgeEventRow } from '../../../db/chain/indexer/rows.ts'
import type { FollowedOrder, OrderArrival, OrderState } from '../../../db/transact/followed-orders.ts'
import { computeRelayKey, hashMessage } from '../../chain/contracts/across.ts'
import { type FinalHead, isBefore, type ChainPlace } from './order-state.ts'
import { toBytes32 } from '../venues/bridge/across/spoke-pool-deposit.ts'

/** Indexed facts about the orders of one depositor. */
export interface OrderFacts {
  /** Events of the configured SpokePools; events of others are not indexed. */
  events: readonly BridgeEventRow[]
  /** Tokens that reached the orders' recipients in the transactions of their fills. */
  arrivals: readonly OrderArrival[]
  /** By chain; a chain that is not indexed is absent. */
  heads: ReadonlyMap<number, FinalHead>
}

/**
 * Computes the states of one depositor's orders from what is indexed now. Events and reorgs in any order lead to the
 * states that a fresh index would give.
 *
 * | from | to | when |
 * |---|---|---|
 * | pending | confirmed_source | its deposit is final: in the transaction in which the intent succeeded, every member
 * as signed |
 * | pending | failed | the intents of the quote failed |
 * | confirmed_source | completed | a fill is final whose members are those of the deposit |
 * | confirmed_source | expired | the destination is final beyond the deadline, and there is no fill |
 * | expired | refunded | the payment back is final |
 */
export function followOrders(
  orders: readonly FollowedOrder[],
  facts: OrderFacts,
): ReadonlyMap<string, OrderState> {
  const taken = new Set<BridgeEventRow>()
  const seen = orders.map((order) => {
    const deposit = findDeposit(order, facts.events, taken)
    if (deposit) taken.add(deposit)
    const fill = deposit && findFill(order, deposit, facts.events)
    return { order, deposit, fill }
  })
  const expired = seen.flatMap(({ order, deposit, fill }) => {
    const time = facts.heads.get(order.destinationChainId)?.time ?? null
    const isLate = time !== null && time > order.fillDeadline
    return deposit && !fill && isLate ? { order, deposit } : []
  })
  const refunds = shareByChain(expired, facts.events)
  return new Map(
    seen.map(({ order, deposit, fill }) => [
      order.quoteId,
      stateOf(order, { deposit, fill, refund: refunds.get(order.quoteId) ?? null }, facts, expired),
    ]),
  )
}

/** Computes the hash that the fill of a deposit and the deposit itself share. */
export const relayKeyOf = (order: FollowedOrder, depositId: bigint): Hash =>
  computeRelayKey({
    originChainId: BigInt(order.originChainId),
    destinationChainId: BigInt(order.destinationChainId),
    depositId,
    depositor: toBytes32(order.depositor),
    recipient: toBytes32(order.depositRecipient),
    exclusiveRelayer: toBytes32(order.exclusiveRelayer),
    inputToken: toBytes32(order.inputToken),
    outputToken: toBytes32(order.bridgedToken),
    inputAmount: order.inputAmount,
    outputAmount: order.bridgedAmount,
    fillDeadline: order.fillDeadline,
    exclusivityDeadline: order.exclusivityDeadline,
    messageHash: hashMessage(order.message as Hex),
  })

function findDeposit(
  order: FollowedOrder,
  events: readonly BridgeEventRow[],
  taken: ReadonlySet<BridgeEventRow>,
): BridgeEventRow | null {
  const found = events.find(
    (event) =>
      event.kind === 'deposit' &&
      event.chainId === order.originChainId &&
      event.txHash === order.executedTx &&
      event.depositId !== null &&
      event.quoteTimestamp === order.quoteTimestamp &&
      event.relayKey === relayKeyOf(order, event.depositId) &&
      !taken.has(event),
  )
  return found ?? null
}

/** Matches by the hash, not by the deposit's number: anybody can fill another deposit that claims the same number. */
const findFill = (
  { destinationChainId }: FollowedOrder,
  { relayKey }: BridgeEventRow,
  events: readonly BridgeEventRow[],
) =>
  events.find(
    (event) => event.kind === 'fill' && event.chainId === destinationChainId && event.relayKey === relayKey,
  ) ?? null

type Expired = readonly { order: FollowedOrder; deposit: BridgeEventRow }[]

function shareByChain(expired: Expired, events: readonly BridgeEventRow[]): Map<string, RefundCredit> {
  const shared = new Map<string, RefundCredit>()
  for (const [chainId, those] of Map.groupBy(expired, ({ order }) => order.originChainId)) {
    const owed = those.map(({ order, deposit }) => ({
      quoteId: order.quoteId,
      deposited: placeOf(deposit),
      fillDeadline: order.fillDeadline,
      token: order.inputToken,
      amount: order.inputAmount,
    }))
    const credits = events.flatMap((event): RefundCredit[] => {
      const { kind, token, amount, isDeferred, txHash } = event
      const isPaid = kind === 'refund-claim' || (kind === 'refund' && isDeferred === false)
      if (event.chainId !== chainId || !isPaid || token === null || amount === null) return []
      return [{ at: placeOf(event), txHash, token, amount }]
    })
    for (const [quoteId, credit] of shareRefunds(owed, credits)) shared.set(quoteId, credit)
  }
  return shared
}

const placeOf = ({ blockNumber, logIndex }: BridgeEventRow) => ({ block: blockNumber, logIndex })

interface Found {
  deposit: BridgeEventRow | null
  fill: BridgeEventRow | null
  refund: RefundCredit | null
}

function stateOf(
  order: FollowedOrder,
  { deposit, fill, refund }: Found,
  facts: OrderFacts,
  expired: Expired,
): OrderState {
  const state: OrderState = {
    status: 'pending',
    depositTx: deposit?.txHash ?? null,
    fillTx: fill?.txHash ?? null,
    refundTx: refund?.txHash ?? null,
    arrived: null,
    originDue: null,
    destinationDue: null,
  }
  if (!deposit) return order.hasFailed && order.executedTx === null ? { ...state, status: 'failed' } : state
  const isFinal = (chainId: number, block: bigint) => block <= (facts.heads.get(chainId)?.block ?? -1n)
  if (fill) {
    const arrived = arrivedBy(order, fill, facts.arrivals)
    if (isFinal(order.destinationChainId, fill.blockNumber)) return { ...state, status: 'completed', arrived }
    state.destinationDue = fill.blockNumber
  }
  if (!isFinal(order.originChainId, deposit.blockNumber)) return { ...state, originDue: deposit.blockNumber }
  if (!expired.some((one) => one.order === order)) return { ...state, status: 'confirmed_source' }
  if (!refund) return { ...state, status: 'expired' }
  if (!isFinal(order.originChainId, refund.at.block))
    return { ...state, status: 'expired', originDue: refund.at.block }
  const arrived = { token: order.inputToken, amount: order.inputAmount }
  return { ...state, status: 'refunded', arrived }
}

/**
 * Returns the token and amount that a fill brought. Only arrivals at addresses of the account are indexed. For other
 * recipients only the token is known, and that the wanted one is at least the minimum.
 */
function arrivedBy(
  order: FollowedOrder,
  fill: BridgeEventRow,
  arrivals: readonly OrderArrival[],
): { token: Address; amount: bigint } {
  const { outputToken, bridgedToken, bridgedAmount, minimumOutput, outputRecipient } = order
  const got = (token: string) =>
    arrivals
      .filter(
        (one) =>
          one.chainId === fill.chainId &&
          one.txHash === fill.txHash &&
          one.to === outputRecipient &&
          one.token === token,
      )
      .reduce((sum, { amount }) => sum + amount, 0n)
  const bridged = fill.amount ?? bridgedAmount
  const [wanted, unchanged] = [got(outputToken), got(bridgedToken)]
  if (outputToken === bridgedToken) return { token: outputToken, amount: bridged }
  if (wanted >= minimumOutput) return { token: outputToken, amount: wanted }
  if (fill.fallbackRecipient === outputRecipient) return { token: bridgedToken, amount: bridged }
  if (wanted === 0n && unchanged > 0n) return { token: bridgedToken, amount: unchanged }
  // Without a node's traces, arrivals of coins are unknown. The fill's calls revert below the minimum, and nothing
  // shows an amount above it.
  const promised = order.message === '0x' ? bridged : minimumOutput
  return { token: outputToken, amount: wanted > 0n ? wanted : promised }
}

/** A payment back to a depositor. */
interface RefundCredit {
  at: ChainPlace
  txHash: Hash
  token: string
  /** Smallest unit. */
  amount: bigint
}

/** A deposit that was not filled in time. */
interface OwedRefund {
  quoteId: string
  deposited: ChainPlace
  /** Seconds since 1970. */
  fillDeadline: number
  token: string
  /** Smallest unit. */
  amount: bigint
}

/** Most orders whose combinations are tried; a depositor usually has one open. */
const MOST_COMBINED = 10

/**
 * Matches payments to the refunded orders of one depositor. A bridge sums its debts to an address, and no payment names
 * its orders. A payment goes to the orders whose sum it is, the oldest first. Otherwise it goes to the oldest that it
 * covers, together with the rest of earlier payments.
 * @param credits In any order.
 */
export function shareRefunds(
  owed: readonly OwedRefund[],
  credits: readonly RefundCredit[],
): ReadonlyMap<string, RefundCredit> {
  const shared = new Map<string, RefundCredit>()
  const left = new Map<string, bigint>()
  const oldestFirst = owed.toSorted(
    (one, other) =>
      one.fillDeadline - other.fillDeadline || (isBefore(one.deposited, other.deposited) ? -1 : 1),
  )
  for (const credit of credits.toSorted((one, other) => (isBefore(one.at, other.at) ? -1 : 1))) {
    const { token, amount, at } = credit
    const waiting = oldestFirst.filter(
      (order) => order.token === token && !shared.has(order.quoteId) && isBefore(order.deposited, at),
    )
    const exact = findSum(waiting.slice(0, MOST_COMBINED), amount)
    if (exact) {
      for (const { quoteId } of exact) shared.set(quoteId, credit)
      continue
    }
    let rest = amount + (left.get(token) ?? 0n)
    for (const order of waiting) {
      if (order.amount > rest) continue
      rest -= order.amount
      shared.set(order.quoteId, credit)
    }
    left.set(token, rest)
  }
  return shared
}

/** Finds orders whose debts add up to an amount; of several choices one with the oldest. Null without any. */
function findSum(orders: readonly OwedRefund[], amount: bigint): OwedRefund[] | null {
  if (amount === 0n) return []
  const [first, ...others] = orders
  if (!first || amount < 0n) return null
  const withFirst = findSum(others, amount - first.amount)
  return withFirst ? [first, ...withFirst] : findSum(others, amount)
}
