/** A finding of the doctor. */
export interface CheckResult {
  level: 'ok' | 'warn' | 'error'
  /** The part of the service: `chain 1, rpc.example`. It has no secrets and of a URL the host alone. */
  about: string
  /** The observation, as a clause. */
  found: string
  /** The change that the operator makes; null if none is needed. */
  change: string | null
}

/** Collects findings about one part. */
export function openChart(about: string) {
  const findings: CheckResult[] = []
  return {
    findings,
    ok: (found: string) => void findings.push({ level: 'ok', about, found, change: null }),
    warn: (found: string, change: string) => void findings.push({ level: 'warn', about, found, change }),
    error: (found: string, change: string) => void findings.push({ level: 'error', about, found, change }),
  }
}

/** Findings about one part, while they are collected. */
export type Chart = ReturnType<typeof openChart>
