/** Median of the rounds, and how far they lie apart. */
export interface Spread {
  median: number
  min: number
  max: number
}

/** What became of the withdrawals of a run. */
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
  /** CPU of the process that does the work, its threads included; null where it cannot be asked. */
  cpuMs: Spread | null
  wallMs: Spread
  /** Name of the row of the same run that this one is compared with; null for a baseline. */
  baseline: string | null
  /** What is compared: CPU, or wall time where the work is done by somebody else. */
  compared: 'cpu' | 'wall'
  /** The baseline's median divided by this one's: above 1 is cheaper than the baseline. */
  ratioToBaseline: number | null
  /** Of single requests, where many are under way at once. */
  latencyMs?: { p50: number; p95: number; p99: number }
  relays?: RelayFigures
  /** To the node, for each operation. */
  rpc?: { calls: number; trips: number }
  /** What its name does not tell. */
  note?: string
  /** Of the service's process after the rounds. */
  service?: { memoryMb: number; eventLoopDelayP99Ms: number }
}

/** A row before it is compared, with the rounds that it was made from. */
export type UnratedRow = Omit<Row, 'ratioToBaseline'>
