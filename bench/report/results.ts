import type { MachineFacts } from '../machine-facts.ts'
import type { Row } from '../measure/row.ts'

/** The results of a run. */
export interface Results {
  /** ISO 8601, of the start. */
  startedAt: string
  machine: MachineFacts
  rows: Row[]
  /** Sorted milliseconds of single requests, by row; drawn in the report and omitted from `--json`. */
  latencies: Record<string, number[]>
}
