/** Median of the rounds, and their range. */
export interface Spread {
  median: number
  min: number
  max: number
}

/** The fate of the withdrawals of a run. */
export interface RelayFigures {
  notes: number
  accepted: number
  confirmed: number
  reverted: number
  perSecond: number
}

/** One line of the results; milliseconds per operation. */
export interface Row {
  name: string
  operations: number
  rounds: number
  /** CPU of the working process, its threads included; null where it cannot be read. */
  cpuMs: Spread | null
  wallMs: Spread
  /** Name of the row of the same run that this one is compared with; null for a baseline. */
  baseline: string | null
  /** The compared figure: CPU, or wall time where another process does the work. */
  compared: 'cpu' | 'wall'
  /** The baseline's median divided by this one's: above 1 is cheaper than the baseline. */
  ratioToBaseline: number | null
  /** Of single requests, where many are concurrent. */
  latencyMs?: { p50: number; p95: number; p99: number }
  relays?: RelayFigures
  /** Requests to the node, for each operation. */
  rpc?: { calls: number; trips: number }
  /** Facts that its name does not show. */
  note?: string
  /** Of the service's process after the rounds. */
  service?: { memoryMb: number; eventLoopDelayP99Ms: number }
}

/** A row before it is compared, with the rounds that it was made from. */
export type UnratedRow = Omit<Row, 'ratioToBaseline'>
