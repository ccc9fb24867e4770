/** The metrics of a service's process at `/metrics`. */
export interface ProcessMetrics {
  /** All threads, since its start. */
  cpuMs: number
  memoryMb: number
  /** Since the metrics were last read. */
  eventLoopDelayP99Ms: number
}

/** Null where there are no such metrics, as in other relayers. */
export async function readMetrics(url: string): Promise<ProcessMetrics | null> {
  const response = await fetch(`${url}/metrics`)
  const text = await response.text()
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
  const cpuSeconds = read('process_cpu_seconds_total')
  if (!response.ok || Number.isNaN(cpuSeconds)) return null
  return {
    cpuMs: cpuSeconds * 1_000,
    memoryMb: read('process_resident_memory_bytes') / 2 ** 20,
    eventLoopDelayP99Ms: read('nodejs_eventloop_lag_p99_seconds') * 1_000,
  }
}

export const readServiceCpu = (url: string) => async (): Promise<number | null> =>
  (await readMetrics(url))?.cpuMs ?? null
