import { readFile } from 'node:fs/promises'
import '../schema/printed/print.ts'
import { writePrinted } from '../schema/printed/write-printed.ts'
import { printDashboard } from './deploy/print-dashboard.ts'
import { printRules } from './deploy/print-rules.ts'
import { printSettings } from './config/list-settings.ts'
import { printAlarms, printRunbook } from './observation/print-alarms.ts'
import { printMetrics } from './observation/print-metrics.ts'

/** The manual with the runbook between its two marks. */
async function printManual(): Promise<string> {
  const manual = await readFile(new URL('../OPERATING.md', import.meta.url), 'utf8')
  const [before = '', rest = ''] = manual.split(BEGIN)
  const [, after = ''] = rest.split(END)
  return `${before}${BEGIN}\n${printRunbook()}\n${END}${after}`
}

const BEGIN = '<!-- runbook -->'
const END = '<!-- /runbook -->'

/** Prints the API, and the tables of settings, metrics and alarms beside their code; with `--check` it only compares. */
await writePrinted(new URL('./', import.meta.url), {
  'config/SETTINGS.md': printSettings(),
  'observation/METRICS.md': printMetrics(),
  'observation/ALARMS.md': printAlarms(),
  'deploy/prometheus/alerts.yml': printRules(),
  'deploy/grafana/dashboard.json': printDashboard(),
  '../OPERATING.md': await printManual(),
})
