import { listMetrics, type DescribedMetric } from '../observation/print-metrics.ts'
import { WHEN_TO_ACT } from '../observation/when-to-act.ts'

/** Panels in a row of Grafana's 24 columns. */
const IN_A_ROW = 3
const WIDTH = 24 / IN_A_ROW
const HEIGHT = 7

/** Sections by the first word of their metrics; everything else stands under the last. */
const SECTIONS: readonly (readonly [title: string, prefixes: readonly string[]])[] = [
  ['Requests', ['http', 'graphql']],
  ['Chains and nodes', ['chain']],
  ['Gas and signers', ['unpaid', 'signer']],
  ['Relays and pools', ['ledger', 'pool', 'relay', 'proving', 'proof']],
  ['Index', ['indexer']],
  ['Accounts and sends', ['accounts', 'sends', 'send', 'earnings', 'profit']],
  ['Orders, cash-outs, venues', ['orders', 'cash', 'venue']],
]

/** Shown apart: the one by a table, the other as a line of text. */
const APART = new Set(['alarms', 'build_info'])

/** Writes the dashboard for Grafana: the standing alarms, then a panel for each metric. */
export function printDashboard(): string {
  const metrics = listMetrics().filter(({ name }) => !APART.has(name))
  const panels: object[] = [...headPanels()]
  let y = 5
  for (const [title, prefixes] of SECTIONS) {
    const shown = metrics.filter(({ name }) => prefixes.includes(name.split('_')[0]!))
    panels.push({ type: 'row', title, collapsed: false, gridPos: { x: 0, y, w: 24, h: 1 }, panels: [] })
    y += 1
    for (const [place, metric] of shown.entries()) {
      const x = (place % IN_A_ROW) * WIDTH
      panels.push(panelOf(metric, { x, y: y + Math.floor(place / IN_A_ROW) * HEIGHT, w: WIDTH, h: HEIGHT }))
    }
    y += Math.ceil(shown.length / IN_A_ROW) * HEIGHT
  }
  const shownNames = new Set(SECTIONS.flatMap(([, prefixes]) => prefixes))
  const lost = metrics.filter(({ name }) => !shownNames.has(name.split('_')[0]!))
  if (lost.length > 0) throw new Error(`no section shows ${lost.map(({ name }) => name).join(', ')}`)
  return `${JSON.stringify(dashboardOf(panels.map((panel, id) => ({ id: id + 1, ...panel }))), null, 2)}\n`
}

const SOURCE = { type: 'prometheus', uid: '${source}' }
const targetOf = (expr: string, legendFormat: string) => ({
  datasource: SOURCE,
  expr,
  legendFormat,
  refId: 'A',
})

const headPanels = () => [
  {
    type: 'table',
    title: 'Standing alarms',
    description: 'Empty while all is well. OPERATING.md, Runbook, says what to check and to do.',
    datasource: SOURCE,
    gridPos: { x: 0, y: 0, w: 16, h: 5 },
    targets: [{ ...targetOf('max by (code, chain) (alarms) > 0', ''), instant: true, format: 'table' }],
  },
  {
    type: 'stat',
    title: 'Instances',
    datasource: SOURCE,
    gridPos: { x: 16, y: 0, w: 4, h: 5 },
    targets: [targetOf('count(build_info)', '')],
  },
  {
    type: 'stat',
    title: 'Version',
    datasource: SOURCE,
    gridPos: { x: 20, y: 0, w: 4, h: 5 },
    options: { textMode: 'name' },
    targets: [targetOf('max by (version) (build_info)', '{{version}}')],
  },
]

function panelOf(metric: DescribedMetric, gridPos: Record<'x' | 'y' | 'w' | 'h', number>) {
  const { name, help } = metric
  const act = WHEN_TO_ACT[name]
  return {
    type: 'timeseries',
    title: name,
    description: act ? `${help} Act when: ${act}.` : help,
    datasource: SOURCE,
    gridPos,
    fieldConfig: { defaults: { unit: unitOf(name), min: 0 }, overrides: [] },
    targets: [targetOf(queryOf(metric), metric.labelNames.map((label) => `{{${label}}}`).join(' '))],
  }
}

/** The greatest of all instances for a gauge, the sum of rates for a counter, the 95th percentile for a histogram. */
function queryOf({ name, type, labelNames }: DescribedMetric): string {
  const by = `by (${labelNames.join(', ')})`
  if (type === 'histogram') {
    const labels = ['le', ...labelNames.filter((label) => label !== 'status')].join(', ')
    return `histogram_quantile(0.95, sum by (${labels}) (rate(${name}_bucket[5m])))`
  }
  return type === 'counter' ? `sum ${by} (rate(${name}[5m]))` : `max ${by} (${name})`
}

function unitOf(name: string): string {
  if (name.endsWith('_seconds')) return 's'
  return name.endsWith('_bytes') ? 'bytes' : 'short'
}

const dashboardOf = (panels: readonly object[]) => ({
  title: 'Stealth relay',
  uid: 'stealth-relay',
  description: 'Printed from the code by npm run print; do not edit.',
  schemaVersion: 39,
  timezone: 'browser',
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  templating: { list: [{ name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus' }] },
  panels,
})
