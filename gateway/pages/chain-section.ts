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

/** One chain: the service's functions there, its head, and if it has signers, its gas price, pools and signers. */
export function chainSection(chain: Chain, isDown: boolean, now: number): Html {
  const down = isDown ? html` <span class="state failed">down</span>` : null
  return html`<section>
    <h2>${chain.name} <small>chain ${chain.chainId}</small>${down}</h2>
    <p class="facts">
      <span
        >block <b>${chain.head === null ? '–' : group(chain.head)}</b>${
          chain.headAgeMs === null ? null : html`, ${formatAge(chain.headAgeMs)} old`
        }</span
      >
      <span><b>${chain.capabilities.map((capability) => DOES[capability]).join(', ')}</b></span>
      ${chain.signers.length > 0 ? transactionFacts(chain) : null}
      ${chain.pools.map(
        (pool) =>
          html`<span
            >${pool.symbol} pool
            <b class="state ${isDown ? 'failed' : pool.ready ? 'confirmed' : 'broadcast'}"
              >${isDown ? 'unknown' : pool.ready ? 'ready' : 'refreshing'}</b
            ></span
          >`,
      )}
    </p>
    ${nodeTable(chain, now)} ${chain.signers.length > 0 ? signerTable(chain, isDown) : null}
  </section>`
}

function nodeTable({ nodes }: Chain, now: number): Html {
  return html`<table>
    <thead>
      <tr>
        <th>Node</th>
        <th>Block</th>
        <th>Answers in</th>
        <th>Errors</th>
        <th>Last answer</th>
        <th>State</th>
      </tr>
    </thead>
    <tbody>
      ${nodes.map(
        (node) =>
          html`<tr>
            <td>${node.name}</td>
            <td class="number">${node.height === null ? '–' : group(node.height)}</td>
            <td class="number">${node.answerMs === null ? '–' : html`${Math.round(node.answerMs)} ms`}</td>
            <td class="number" title="${node.lastError ?? ''}">
              ${group(node.errors)} of ${group(node.answers + node.errors)}
            </td>
            <td class="number">
              ${node.answeredAt === null ? '–' : html`${formatAge(now - node.answeredAt)} ago`}
            </td>
            <td>
              <span class="state ${node.detail === null ? 'confirmed' : 'failed'}"
                >${node.detail ?? 'answers'}</span
              >
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

function transactionFacts(chain: Chain): Html {
  const cap = chain.maxGasPrice === null ? null : html` of at most ${formatGwei(chain.maxGasPrice)}`
  return html`<span>gas <b>${chain.gasPrice === null ? '–' : formatGwei(chain.gasPrice)}</b>${cap}</span>
    <span>pending <b>${chain.pendingTransactions}</b></span>
    ${chain.unpaidGas === null ? null : unpaidGas(chain.unpaidGas)}`
}

function signerTable(chain: Chain, isDown: boolean): Html {
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
      ${chain.signers.map((signer) => signerRow(signer, chain.nativeSymbol, isDown))}
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

function signerRow(signer: Chain['signers'][number], nativeSymbol: string, isDown: boolean): Html {
  const state = isDown ? 'waiting' : signer.paused ? 'paused' : signer.runway < LOW_RUNWAY ? 'low' : 'sending'
  const colour = { waiting: 'failed', paused: 'failed', low: 'broadcast', sending: 'confirmed' }[state]
  return html`<tr>
    <td><code title="${signer.address}">${shorten(signer.address)}</code></td>
    <td>${signer.duty}</td>
    <td class="number">${formatAmount(signer.balance, 18)} ${nativeSymbol}</td>
    <td class="number">${group(signer.runway)} relays</td>
    <td class="number">${signer.pendingTransactions}</td>
    <td><span class="state ${colour}">${state}</span></td>
  </tr>`
}
