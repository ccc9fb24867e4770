/** Values that replace each other until they are taken. */
export interface MergedValues<Value> {
  /** Takes the present value; null if there is none since the last one. */
  take(): Value | null
  /** Registers a listener for new values. @returns A function that removes it. */
  listen(wake: () => void): () => void
}

/** Yields each value until the signal is aborted. Values that come faster than they are consumed are merged. */
export async function* yieldMerged<Value>(
  signal: AbortSignal,
  { take, listen }: MergedValues<Value>,
): AsyncGenerator<Value> {
  let proceed = () => {}
  const wake = () => proceed()
  const leave = listen(wake)
  signal.addEventListener('abort', wake)
  try {
    while (!signal.aborted) {
      const value = take()
      if (value !== null) yield value
      else await new Promise<void>((resolve) => (proceed = resolve))
    }
  } finally {
    signal.removeEventListener('abort', wake)
    leave()
  }
}
