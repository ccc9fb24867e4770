import { usdToNumber } from '../../relayer/market/prices/usd.ts'
import type { Usage } from '../../relayer/transact/usage/usage.ts'
import { formatAmount, group } from './format.ts'
import { html, type Html } from './html.ts'

/** Income and cost of sends, by token; null if none was booked. */
export function sendLedgerSection(usage: Usage | null): Html | null {
  if (!usage || usage.sendLedger.length === 0) return null
  return html`<section>
    <h2>Ledger of sends</h2>
    ${stuckLine(usage.stuck)}
    <table>
      <thead>
        <tr>
          <th>Token</th>
          <th>Chain</th>
          <th>Sends</th>
          <th>Network fees in</th>
          <th>Service fees in</th>
          <th>Gas out</th>
          <th>Of that unpaid</th>
        </tr>
      </thead>
      <tbody>
        ${usage.sendLedger.map(
          (row) =>
            html`<tr>
              <td>${row.symbol}</td>
              <td>${row.chainId}</td>
              <td class="number">${group(row.sends)}</td>
              <td class="number">${formatAmount(row.networkFee, row.decimals)}</td>
              <td class="number">${formatAmount(row.serviceFee, row.decimals)}</td>
              <td class="number">${formatAmount(row.gasSpent, 18)} ${row.nativeSymbol}</td>
              <td class="number">${formatAmount(row.gasUnpaid, 18)} ${row.nativeSymbol}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`
}

/** An alarm for bookings that failed; null without any. */
function stuckLine({ earnings, quotes }: Usage['stuck']): Html | null {
  if (earnings + quotes === 0) return null
  return html`<p class="health bad">
    ${group(quotes)} mined quotes could not be ended, and ${group(earnings)} shares of referrers could not be
    booked: see “Quotes that cannot be booked” in OPERATING.md
  </p>`
}

/** Profit and loss of the last days, by chain and token; null if nothing was booked. */
export function profitSection(usage: Usage | null): Html | null {
  if (!usage || usage.profit.length === 0) return null
  return html`<section>
    <h2>Profit and loss by day</h2>
    <p>Days of UTC; dollars at the newest prices; shares of referrers are not deducted.</p>
    <table>
      <thead>
        <tr>
          <th>Day</th>
          <th>Token</th>
          <th>Chain</th>
          <th>For</th>
          <th>Number</th>
          <th>Fees in</th>
          <th>Gas out</th>
          <th>Of that unpaid</th>
          <th>Dollars</th>
        </tr>
      </thead>
      <tbody>
        ${usage.profit.map(
          (row) =>
            html`<tr>
              <td>${row.day}</td>
              <td>${row.symbol}</td>
              <td>${row.chainId}</td>
              <td>${row.duty}</td>
              <td class="number">${group(row.acts)}</td>
              <td class="number">${formatAmount(row.fees, row.decimals)}</td>
              <td class="number">${formatAmount(row.gasSpent, 18)} ${row.nativeSymbol}</td>
              <td class="number">${formatAmount(row.gasUnpaid, 18)} ${row.nativeSymbol}</td>
              <td class="number">${row.usd === null ? '–' : usdToNumber(row.usd).toFixed(2)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`
}
