/** An entry of the doctor's chart. */
export interface ChartEntry {
  level: 'ok' | 'warn' | 'error'
  /** The part of the service: `chain 1, rpc.example`. No secrets; of a URL, only the host. */
  about: string
  /** The observation, as a clause. */
  found: string
  /** The change that the operator makes; null if none is needed. */
  change: string | null
}

/** Collects entries about one part. */
export function openChart(about: string) {
  const entries: ChartEntry[] = []
  return {
    entries,
    ok: (found: string) => void entries.push({ level: 'ok', about, found, change: null }),
    warn: (found: string, change: string) => void entries.push({ level: 'warn', about, found, change }),
    error: (found: string, change: string) => void entries.push({ level: 'error', about, found, change }),
  }
}

/** Findings about one part, while they are collected. */
export type Chart = ReturnType<typeof openChart>
