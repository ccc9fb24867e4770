import type { OrdersOverview } from '../../relayer/transact/orders/orders-overview.ts'
import { formatAge, group } from './format.ts'
import { html, type Html } from './html.ts'

type Row = OrdersOverview['cash'][number]

/** Names of the event that a cash-out waits for. */
const WAITS_FOR: Readonly<Record<Row['phase'], string>> = {
  depositing: 'its deposit',
  bridging: 'its bridge',
  listed: 'a buyer',
  matched: 'a payment',
  partially_filled: 'more buyers',
}

/** Cash-outs that have not ended, by chain and phase, and an alarm for those whose deposit was never seen. */
export function cashSection({ cash }: OrdersOverview): Html | null {
  if (cash.length === 0) return null
  const unseen = cash.reduce((sum, row) => sum + row.unseen, 0)
  return html`<section>
    <h2>Cash-outs</h2>
    ${
      unseen === 0
        ? null
        : html`<p class="health bad">
            ${group(unseen)} paid the escrow and ${unseen === 1 ? 'was' : 'were'} not seen there: see
            “Cash-outs whose deposit is not seen” in OPERATING.md
          </p>`
    }
    <table>
      <thead>
        <tr>
          <th>Chain</th>
          <th>Wait for</th>
          <th>Open</th>
          <th>Oldest</th>
        </tr>
      </thead>
      <tbody>
        ${cash.map(
          ({ chainId, phase, orders, oldestMs }) =>
            html`<tr>
              <td>${chainId}</td>
              <td>${WAITS_FOR[phase]}</td>
              <td class="number">${group(orders)}</td>
              <td class="number">${formatAge(oldestMs)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`
}
