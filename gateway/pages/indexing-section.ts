import type { IndexProgress } from '../../relayer/chain/indexer/indexer.ts'
import { group } from './format.ts'
import { html, type Html } from './html.ts'

/** Progress of indexing by chain; null when no chain is indexed. */
export function indexingSection(
  chains: readonly IndexProgress[],
  names: readonly { chainId: number; name: string }[],
): Html | null {
  if (chains.length === 0) return null
  return html`<section>
    <h2>Indexing</h2>
    <table>
      <thead>
        <tr>
          <th>Chain</th>
          <th>Block</th>
          <th>Head</th>
          <th>Behind</th>
          <th>Addresses</th>
          <th>Reorgs</th>
          <th>Left out</th>
          <th>State</th>
        </tr>
      </thead>
      <tbody>
        ${chains.map((chain) =>
          indexingRow(chain, names.find(({ chainId }) => chainId === chain.chainId)?.name ?? ''),
        )}
      </tbody>
    </table>
  </section>`
}

function indexingRow(chain: IndexProgress, name: string): Html {
  const { state, problem, backfilling, indexedBlock, headBlock, behind } = chain
  const colour = problem !== null ? 'failed' : state === 'live' ? 'confirmed' : 'broadcast'
  const past = backfilling > 0 ? html` (${group(backfilling)} backfilling)` : null
  return html`<tr>
    <td>${name} <small>${chain.chainId}</small></td>
    <td class="number">${indexedBlock === null ? '–' : group(indexedBlock)}</td>
    <td class="number">${headBlock === null ? '–' : group(headBlock)}</td>
    <td class="number">${behind === null ? '–' : group(behind)}</td>
    <td class="number">${group(chain.watchedAddresses)}${past}</td>
    <td class="number">${group(chain.reorgs)}</td>
    <td class="number">
      ${group(chain.rowsSetAside)}${chain.blocksLeftOut > 0 ? html` (parts of ${group(chain.blocksLeftOut)} blocks)` : null}
    </td>
    <td>
      <span class="state ${colour}" title="${problem ?? ''}">${problem === null ? state : 'stopped'}</span>
    </td>
  </tr>`
}
