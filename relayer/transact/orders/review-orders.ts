import type { DatabasePool } from 'slonik'
import { readFinalHeads } from '../../../db/transact/bridge-orders.ts'
import {
  lockOrdersOf,
  readArrivals,
  readDepositsIn,
  readFillsAndRefunds,
  writeOrders,
  type FollowedOrder,
  type OrderState,
} from '../../../db/transact/followed-orders.ts'
import type { ChainConfig } from '../../chain/nodes/config.ts'
import { followOrders, relayKeyOf } from './follow-orders.ts'

/** Chains between which orders go. */
export type OrderChains = readonly Pick<ChainConfig, 'chainId' | 'confirmations'>[]

/**
 * Recomputes the state of all orders of these depositors and writes the changes, in seven queries whatever their
 * number.
 * @returns The quotes whose orders have changed.
 */
export async function reviewOrders(
  database: DatabasePool,
  chains: OrderChains,
  depositors: readonly string[],
): Promise<readonly string[]> {
  if (depositors.length === 0) return []
  return database.transaction(async (transaction) => {
    const orders = await lockOrdersOf(transaction, depositors)
    const executed = orders.flatMap(({ originChainId, executedTx, depositor }) =>
      executedTx ? [{ chainId: originChainId, txHash: executedTx, depositor }] : [],
    )
    // Heads are read first: an event indexed in the meantime then counts, but not as final.
    const heads = await readFinalHeads(transaction, chains)
    const deposits = await readDepositsIn(transaction, executed)
    const events = [
      ...deposits,
      ...(await readFillsAndRefunds(transaction, keysOf(orders, deposits), depositors)),
    ]
    const fillTxOf = new Map<string, string>(
      events.flatMap(({ relayKey, txHash, kind }) =>
        kind === 'fill' && relayKey ? [[relayKey, txHash] as const] : [],
      ),
    )
    const arrivals = await readArrivals(
      transaction,
      orders.flatMap((order) =>
        keysOf([order], deposits).flatMap((key) => {
          const txHash = fillTxOf.get(key)
          return txHash ? [{ chainId: order.destinationChainId, txHash, to: order.outputRecipient }] : []
        }),
      ),
    )
    const facts = {
      arrivals,
      heads: new Map(heads.map(({ chainId, block, time }) => [chainId, { block, time }])),
    }
    const eventsOf = Map.groupBy(events, ({ address }) => address)
    const found = [...Map.groupBy(orders, ({ depositor }) => depositor)].flatMap(([depositor, own]) => {
      const states = followOrders(own, { ...facts, events: eventsOf.get(depositor) ?? [] })
      return own.flatMap((order) => {
        const state = states.get(order.quoteId)
        return state && isNews(order, state) ? [{ quoteId: order.quoteId, ...state }] : []
      })
    })
    await writeOrders(transaction, found)
    return found.map(({ quoteId }) => quoteId)
  })
}

/** Returns the keys of the orders' fills, by the numbers of the deposits in their transactions. */
function keysOf(
  orders: readonly FollowedOrder[],
  deposits: Awaited<ReturnType<typeof readDepositsIn>>,
): string[] {
  const byTx = Map.groupBy(deposits, ({ txHash }) => txHash)
  return orders.flatMap((order) =>
    (order.executedTx ? (byTx.get(order.executedTx) ?? []) : []).flatMap(({ relayKey, depositId }) =>
      relayKey !== null && depositId !== null && relayKey === relayKeyOf(order, depositId) ? [relayKey] : [],
    ),
  )
}

const isNews = (order: FollowedOrder, state: OrderState): boolean =>
  order.status !== state.status ||
  order.depositTx !== state.depositTx ||
  order.fillTx !== state.fillTx ||
  order.refundTx !== state.refundTx ||
  order.arrivedToken !== (state.arrived?.token ?? null) ||
  order.arrivedAmount !== (state.arrived?.amount ?? null) ||
  order.originDue !== state.originDue ||
  order.destinationDue !== state.destinationDue
