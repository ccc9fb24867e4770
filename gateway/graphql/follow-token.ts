/** Ends a stream when its token is not good any more; a lookup that fails is no verdict. */
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
