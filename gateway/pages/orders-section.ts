import type { OrdersOverview } from '../../relayer/transact/orders/orders-overview.ts'
import { formatAge, group } from './format.ts'
import { html, type Html } from './html.ts'

type Order = OrdersOverview['oldest'][number]

/** Names of the event that an order waits for. */
const WAITS_FOR: Readonly<Record<Order['status'], string>> = {
  pending: 'its deposit',
  confirmed_source: 'its fill',
  expired: 'its refund',
}

/** Orders to other chains that have not ended, oldest first, and an alarm for those past their deadline. */
export function ordersSection({ open, oldest }: OrdersOverview, now: number): Html | null {
  if (open.length === 0) return null
  const [total, overdue] = [sum(open.map(({ orders }) => orders)), sum(open.map((row) => row.overdue))]
  return html`<section>
    <h2>Orders to other chains</h2>
    ${
      overdue === 0
        ? null
        : html`<p class="health bad">
            ${group(overdue)} outlived ${overdue === 1 ? 'its' : 'their'} deadline: see “Orders that outlive
            their deadline” in OPERATING.md
          </p>`
    }
    <p class="facts">
      <span>under way <b>${group(total)}</b></span>
      ${total > oldest.length ? html`<span>shown: the oldest <b>${oldest.length}</b></span>` : null}
    </p>
    <table>
      <thead>
        <tr>
          <th>Quote</th>
          <th>From</th>
          <th>To</th>
          <th>Waits for</th>
          <th>Age</th>
          <th>Deadline</th>
        </tr>
      </thead>
      <tbody>
        ${oldest.map((order) => orderRow(order, now))}
      </tbody>
    </table>
  </section>`
}

function orderRow(order: Order, now: number): Html {
  const left = order.fillDeadline * 1_000 - now
  return html`<tr>
    <td><code>${order.quoteId}</code></td>
    <td>${order.originChainId}</td>
    <td>${order.destinationChainId}</td>
    <td><span class="state ${order.isOverdue ? 'failed' : 'broadcast'}">${WAITS_FOR[order.status]}</span></td>
    <td class="number">${formatAge(order.ageMs)}</td>
    <td class="number">${left >= 0 ? html`in ${formatAge(left)}` : html`${formatAge(-left)} ago`}</td>
  </tr>`
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
