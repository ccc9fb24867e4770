import type { MachineFacts } from '../machine-facts.ts'
import type { Row } from '../measure/row.ts'

/** What a run leaves behind. */
export interface Results {
  /** ISO 8601, of the start. */
  startedAt: string
  machine: MachineFacts
  rows: Row[]
  /** Sorted milliseconds of single requests, by row; drawn in the report and left out of `--json`. */
  latencies: Record<string, number[]>
}
