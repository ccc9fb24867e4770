/** Ends a stream when its token is no longer valid. A lookup that fails does not end it. */
export function followToken(
  isGood: () => Promise<boolean>,
  { everyMs, ending, signal }: { everyMs: number; ending: AbortController; signal: AbortSignal },
): void {
  if (signal.aborted) return
  const check = () =>
    void isGood().then(
      (good) => good || ending.abort(new Error('the token is not good any more')),
      () => {},
    )
  const timer = setInterval(check, everyMs)
  timer.unref()
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}
