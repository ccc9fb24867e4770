/** Reads at most once per `maxAgeMs`, for any number of callers. A failed read is not cached. */
export function keepRecent<Value>(read: () => Promise<Value>, maxAgeMs: number): () => Promise<Value> {
  let latest: { readAt: number; value: Promise<Value> } | undefined
  return () => {
    const now = performance.now()
    if (!latest || now - latest.readAt > maxAgeMs) {
      const reading = { readAt: now, value: read() }
      latest = reading
      reading.value.catch(() => {
        if (latest === reading) latest = undefined
      })
    }
    return latest.value
  }
}
