import { Gauge, type Registry } from 'prom-client'
import type { OrdersOverview } from '../../relayer/transact/orders/orders-overview.ts'

interface Route {
  originChainId: number
  destinationChainId: number
}

/** Registers the states of orders to other chains and of cash-outs. */
export function registerOrderFigures(registry: Registry, orders: () => Promise<OrdersOverview>): void {
  const registers = [registry]
  const open = new Gauge({
    name: 'orders_open',
    help: 'Orders to other chains that have not ended, by status: `pending`, `confirmed_source`, `expired`.',
    labelNames: ['origin', 'destination', 'status'],
    registers,
    async collect() {
      open.reset()
      for (const row of (await orders()).open) open.set({ ...chainsOf(row), status: row.status }, row.orders)
    },
  })
  const overdue = new Gauge({
    name: 'orders_overdue',
    help: 'Open orders that outlived their deadline.',
    labelNames: ['origin', 'destination'],
    registers,
    async collect() {
      overdue.reset()
      for (const row of (await orders()).open) overdue.inc(chainsOf(row), row.overdue)
    },
  })
  const fill = new Gauge({
    name: 'orders_fill_seconds',
    help: 'Median time from deposit to fill of the orders that were filled within the last hour.',
    labelNames: ['origin', 'destination'],
    registers,
    async collect() {
      fill.reset()
      for (const row of (await orders()).fills) fill.set(chainsOf(row), row.medianMs / 1_000)
    },
  })
  const cashOuts = new Gauge({
    name: 'cash_outs_open',
    help: 'Cash-outs that have not ended, by the chain of their escrow and their phase: `depositing`, `bridging`, `listed`, `matched`, `partially_filled`.',
    labelNames: ['chain', 'phase'],
    registers,
    async collect() {
      cashOuts.reset()
      for (const row of (await orders()).cash)
        cashOuts.set({ chain: row.chainId, phase: row.phase }, row.orders)
    },
  })
  const unseen = new Gauge({
    name: 'cash_outs_unseen',
    help: 'Open cash-outs whose quote is confirmed and whose deposit the escrow has not shown.',
    labelNames: ['chain'],
    registers,
    async collect() {
      unseen.reset()
      for (const row of (await orders()).cash) unseen.inc({ chain: row.chainId }, row.unseen)
    },
  })
}

const chainsOf = ({ originChainId, destinationChainId }: Route) => ({
  origin: originChainId,
  destination: destinationChainId,
})
