import type { IndexProgress } from '../../relayer/chain/indexer/indexer.ts'
import type { OrdersOverview } from '../../relayer/transact/orders/orders-overview.ts'
import type { Usage } from '../../relayer/transact/usage/usage.ts'
import type { WithdrawalsOverview } from '../../relayer/pool/relay/withdrawals.ts'
import type { RaisedAlarm } from '../observation/alarm-board.ts'
import type { Health } from '../observation/health-routes.ts'
import { headline } from './alarm-section.ts'
import { chainSection } from './chain-section.ts'
import { formatAge, formatAmount, group, shorten } from './format.ts'
import { html, type Html } from './html.ts'
import { indexingSection } from './indexing-section.ts'
import { cashSection } from './cash-section.ts'
import { ordersSection } from './orders-section.ts'
import { profitSection, sendLedgerSection } from './send-ledger-section.ts'

export interface Status {
  health: Health
  /** Raised alarms, the worst first. */
  alarms: readonly RaisedAlarm[]
  overview: WithdrawalsOverview
  indexing: readonly IndexProgress[]
  /** Null if the service has no accounts. */
  usage: Usage | null
  /** Null without accounts. */
  orders: OrdersOverview | null
  /** The started parts, one line each. */
  parts: Readonly<Record<string, string>>
  /** Host and port that the page was requested from; null if the API has another port. */
  host: string | null
  /** The wallet is at `/wallet`. */
  withWallet: boolean
  /** Milliseconds since the epoch. */
  now: number
}

/** `/`: the parts of the service and their state. The script replaces `#live` with that of a newer page. */
export function frontPage(status: Status): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Stealth relay</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/front-page.css" />
        <script src="/assets/front-page.js" defer></script>
      </head>
      <body>
        <header>
          <h1>Stealth relay</h1>
          <p>
            Accounts that are paid at stealth addresses, payments without gas of one’s own, and private
            withdrawals from privacy pools.
          </p>
          <nav>
            ${status.withWallet ? html`<a href="/wallet">Wallet</a>` : null}
            ${status.host === null ? null : apiLinks()}
            <a href="/status.json">Status</a>
            <a href="/metrics">Metrics</a>
            <a href="/alarms">Runbook</a>
          </nav>
        </header>
        <p id="lost" class="health bad" hidden></p>
        <main id="live" aria-live="off">${liveStatus(status)}</main>
        ${status.host === null ? null : tryIt(status.host, status)}
      </body>
    </html> `
}

function liveStatus(status: Status): Html {
  const { overview, health, alarms, now } = status
  const isDown = (chainId: number) =>
    alarms.some((alarm) => alarm.code === 'CHAIN_DOWN' && alarm.chainId === chainId)
  return html`
    ${headline(health, alarms, now)} ${usageFigures(status.usage)}
    <section class="figures">
      ${figure('relays confirmed', overview.requests.confirmed)}
      ${figure('relays on their way', overview.requests.broadcast)}
      ${figure('relays failed', overview.requests.failed)}
      ${figure('proofs verified', overview.proving.verified)}
      ${figure('proofs waiting', overview.proving.queued + overview.proving.running)}
    </section>
    ${indexingSection(status.indexing, overview.chains)}
    ${overview.chains.map((chain) => chainSection(chain, isDown(chain.chainId), now))}
    ${status.orders && ordersSection(status.orders, status.now)}
    ${status.orders && cashSection(status.orders)} ${lastRelays(status)} ${ledger(overview)}
    ${sendLedgerSection(status.usage)} ${profitSection(status.usage)} ${parts(status)}
  `
}

function usageFigures(usage: Usage | null): Html | null {
  if (usage === null) return null
  const { accounts, sends } = usage
  return html`<section class="figures">
    ${figure('accounts', accounts)} ${figure('sends confirmed', sends.confirmed)}
    ${figure('sends on their way', sends.underWay)} ${figure('sends failed', sends.failed)}
  </section>`
}

function figure(name: string, value: number): Html {
  return html`<div><strong>${group(value)}</strong><span>${name}</span></div>`
}

function lastRelays({ overview, now }: Status): Html | null {
  if (overview.lastRelays.length === 0)
    return html`<section>
      <h2>Last relays</h2>
      <p>None yet.</p>
    </section>`
  return html`<section>
    <h2>Last relays</h2>
    <table>
      <thead>
        <tr>
          <th>Amount</th>
          <th>Chain</th>
          <th>Transaction</th>
          <th>Status</th>
          <th>Ago</th>
        </tr>
      </thead>
      <tbody>
        ${overview.lastRelays.map(
          (relay) =>
            html`<tr>
              <td class="number">${formatAmount(relay.withdrawn, relay.decimals)} ${relay.symbol}</td>
              <td>${relay.chainId}</td>
              <td>
                <code title="${relay.txHash ?? ''}">${relay.txHash ? shorten(relay.txHash) : '–'}</code>
              </td>
              <td><span class="state ${relay.status}">${relay.status}</span></td>
              <td class="number">${formatAge(now - relay.updatedAt)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`
}

function ledger({ ledger, chains }: WithdrawalsOverview): Html | null {
  if (ledger.length === 0) return null
  const nativeOf = (chainId: number) => chains.find((chain) => chain.chainId === chainId)?.nativeSymbol ?? ''
  return html`<section>
    <h2>Ledger of relays</h2>
    <table>
      <thead>
        <tr>
          <th>Asset</th>
          <th>Chain</th>
          <th>Relays</th>
          <th>Withdrawn</th>
          <th>Fees in</th>
          <th>Gas out</th>
          <th>Top-ups out</th>
        </tr>
      </thead>
      <tbody>
        ${ledger.map(
          (row) =>
            html`<tr>
              <td>${row.symbol}</td>
              <td>${row.chainId}</td>
              <td class="number">${group(row.relays)}</td>
              <td class="number">${formatAmount(row.withdrawn, row.decimals)}</td>
              <td class="number">${formatAmount(row.feeReceived, row.decimals)}</td>
              <td class="number">${formatAmount(row.gasSpent, 18)} ${nativeOf(row.chainId)}</td>
              <td class="number">${formatAmount(row.topUpSpent, 18)} ${nativeOf(row.chainId)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`
}

function parts({ parts }: Status): Html | null {
  const entries = Object.entries(parts)
  if (entries.length === 0) return null
  return html`<section>
    <h2>What runs here</h2>
    <dl>
      ${entries.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
  </section>`
}

function apiLinks(): Html {
  return html`<a href="/docs">API reference</a> <a href="/graphql">GraphQL explorer</a>
    <a href="/openapi.json">OpenAPI</a>`
}

function tryIt(host: string, status: Status): Html {
  return html`<footer>
    <p>Try it</p>
    <pre>${tryLine(host, status)}</pre>
  </footer>`
}

function tryLine(host: string, { overview: { chains } }: Status): string {
  const chain = chains.find(({ capabilities }) => capabilities.includes('relay'))
  if (!chain) return `curl 'http://${host}/v1/supported-chains'`
  const asset = chain.pools[0]?.asset ?? '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
  return `curl 'http://${host}/relayer/details?chainId=${chain.chainId}&assetAddress=${asset}'`
}
