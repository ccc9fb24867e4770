import { Registry } from 'prom-client'
import { registerBuildInfo } from './build-info.ts'
import { registerAlarmFigures } from './alarm-board.ts'
import { registerIndexerFigures } from './indexer-figures.ts'
import { createMetrics } from './metrics.ts'
import { registerOrderFigures } from './order-figures.ts'
import { registerUsageFigures } from './usage-figures.ts'
import { registerVenueFigures } from './venue-figures.ts'
import { WHEN_TO_ACT } from './when-to-act.ts'

/**
 * Writes every metric of the service as Markdown: name, labels, help, and the sign of trouble.
 *
 * @throws Error if {@link WHEN_TO_ACT} names a metric that does not exist.
 */
export function printMetrics(): string {
  const metrics = listMetrics()
  const unknown = Object.keys(WHEN_TO_ACT).filter((name) => metrics.every((metric) => metric.name !== name))
  if (unknown.length > 0) throw new Error(`no such metrics: ${unknown.join(', ')}`)
  const rows = metrics.map(
    ({ name, labelNames, help }) =>
      `| \`${name}\` | ${labelNames.join(', ')} | ${help} | ${WHEN_TO_ACT[name] ?? ''} |`,
  )
  return `${INTRODUCTION}\n${rows.join('\n')}\n`
}

const INTRODUCTION = `# Metrics

Printed from the code by \`npm run print\`; do not edit. [OPERATING.md](../../OPERATING.md#watching-it) says how to watch
the service.

\`/metrics\` serves Prometheus text, written at most once in \`http.figuresMaxAgeMs\`. The same figures are on the front
page and in \`/status.json\`. Amounts lose precision beyond 2^53: they are for graphs. Node's own \`process_*\` and
\`nodejs_*\` metrics are there too.

| metric | labels | meaning | act when |
|---|---|---|---|`

/** A metric as it is registered. */
export interface DescribedMetric {
  name: string
  help: string
  type: 'gauge' | 'counter' | 'histogram'
  labelNames: readonly string[]
}

/** Lists the service's own metrics, in the order of their districts. */
export function listMetrics(): DescribedMetric[] {
  const registry = new Registry()
  const unread = () => Promise.reject(new Error('printing reads no figure'))
  createMetrics(registry, unread, { inFlight: () => 0, unwritten: { total: () => 0, ended: () => 0 } }, 0)
  registerAlarmFigures(registry, () => [])
  registerBuildInfo(registry, { version: '', commit: null, node: '' })
  registerIndexerFigures(registry, unread)
  registerUsageFigures(registry, unread)
  registerOrderFigures(registry, unread)
  registerVenueFigures(registry)()
  // The type of prom-client hides `labelNames`.
  return registry.getMetricsAsArray() as unknown as DescribedMetric[]
}
