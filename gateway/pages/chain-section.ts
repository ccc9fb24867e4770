import type { Capability } from '../../relayer/chain/nodes/capabilities.ts'
import type { WithdrawalsOverview } from '../../relayer/pool/relay/withdrawals.ts'
import { gasOfKnown, gasOfStrangers } from '../../relayer/chain/unpaid-gas/budget-rules.ts'
import { formatAge, formatAmount, formatGwei, group, shorten } from './format.ts'
import { html, type Html } from './html.ts'

type Chain = WithdrawalsOverview['chains'][number]

/** A signer is shown as low if its balance suffices for fewer relays than this. */
const LOW_RUNWAY = 20

/** Descriptions of the service's functions on a chain. */
const DOES: Readonly<Record<Capability, string>> = {
  receive: 'receives',
  relay: 'relays',
  send: 'sends',
  pool_deposit: 'deposits into pools',
  swap: 'swaps',
  bridge: 'bridges',
  cash_out: 'cashes out',
  names: 'looks names up',
}

/** One chain: the service's functions there, its head, and if it relays, its gas price, pools and signers. */
export function chainSection(chain: Chain): Html {
  return html`<section>
    <h2>${chain.name} <small>chain ${chain.chainId}</small></h2>
    <p class="facts">
      <span
        >block <b>${chain.head === null ? '–' : group(chain.head)}</b>${
          chain.headAgeMs === null ? null : html`, ${formatAge(chain.headAgeMs)} old`
        }</span
      >
      ${chain.nodes.map(({ name, detail }) =>
        detail === null ? null : html`<span>${name} <b class="state failed">${detail}</b></span>`,
      )}
      <span><b>${chain.capabilities.map((capability) => DOES[capability]).join(', ')}</b></span>
      ${chain.capabilities.includes('relay') ? transactionFacts(chain) : null}
      ${chain.pools.map(
        (pool) =>
          html`<span
            >${pool.symbol} pool
            <b class="state ${pool.ready ? 'confirmed' : 'broadcast'}"
              >${pool.ready ? 'ready' : 'refreshing'}</b
            ></span
          >`,
      )}
    </p>
    ${chain.capabilities.includes('relay') ? signerTable(chain) : null}
  </section>`
}

function transactionFacts(chain: Chain): Html {
  return html`<span>gas <b>${chain.gasPrice === null ? '–' : formatGwei(chain.gasPrice)}</b></span>
    <span>pending <b>${chain.pendingTransactions}</b></span>
    ${chain.unpaidGas === null ? null : unpaidGas(chain.unpaidGas)}`
}

function signerTable(chain: Chain): Html {
  return html`<table>
    <thead>
      <tr>
        <th>Signer</th>
        <th>Duty</th>
        <th>Balance</th>
        <th>Runway</th>
        <th>Pending</th>
        <th>State</th>
      </tr>
    </thead>
    <tbody>
      ${chain.signers.map((signer) => signerRow(signer, chain.nativeSymbol))}
    </tbody>
  </table>`
}

/** Gas lost within the hour to strangers' code, its limit, the gas at risk in pending transactions, and other losses. */
function unpaidGas({ budget, lost, atRisk }: NonNullable<Chain['unpaidGas']>): Html {
  const known = gasOfKnown(lost)
  return html`<span
    >unpaid gas, last hour <b>${group(gasOfStrangers(lost))}</b> of ${group(budget)}, at risk
    ${group(gasOfStrangers(atRisk))}${known > 0n ? html`, without strangers' code <b>${group(known)}</b>` : null}</span
  >`
}

function signerRow(signer: Chain['signers'][number], nativeSymbol: string): Html {
  const state = signer.paused ? 'paused' : signer.runway < LOW_RUNWAY ? 'low' : 'sending'
  const colour = { paused: 'failed', low: 'broadcast', sending: 'confirmed' }[state]
  return html`<tr>
    <td><code title="${signer.address}">${shorten(signer.address)}</code></td>
    <td>${signer.duty}</td>
    <td class="number">${formatAmount(signer.balance, 18)} ${nativeSymbol}</td>
    <td class="number">${group(signer.runway)} relays</td>
    <td class="number">${signer.pendingTransactions}</td>
    <td><span class="state ${colour}">${state}</span></td>
  </tr>`
}
