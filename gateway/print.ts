import { writePrinted } from '../schema/printed/write-printed.ts'
import { printSettings } from './config/list-settings.ts'
import { printMetrics } from './observation/print-metrics.ts'

/** Prints the tables of settings and metrics beside their code; with `--check` it only compares. */
await writePrinted(new URL('./', import.meta.url), {
  'config/SETTINGS.md': printSettings(),
  'observation/METRICS.md': printMetrics(),
})
