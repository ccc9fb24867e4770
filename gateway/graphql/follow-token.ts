import { unauthorized } from '../../relayer/errors.ts'

interface Watched {
  isGood: () => Promise<boolean>
  ending: AbortController
  /** By performance.now(). */
  lookAt: number
}

/** Ends streams whose tokens are no longer valid, with the error UNAUTHORIZED. */
export interface TokenWatch {
  /** Checks a token repeatedly until the stream has ended. A lookup that fails does not end the stream. */
  follow(isGood: () => Promise<boolean>, ending: AbortController): void
}

/** Timer ticks per round. */
const TURNS = 8

/** Creates the watch: one timer for all streams, each of which is checked once in `everyMs`. */
export function createTokenWatch(everyMs: number): TokenWatch {
  /** Ordered by due time, earliest first. */
  const watched = new Set<Watched>()
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    const now = performance.now()
    for (const one of watched) {
      if (one.lookAt > now) break
      watched.delete(one)
      one.lookAt = now + everyMs
      watched.add(one)
      void one.isGood().then(
        (good) => good || one.ending.abort(unauthorized()),
        () => {},
      )
    }
  }

  return {
    follow(isGood, ending) {
      if (ending.signal.aborted) return
      const one = { isGood, ending, lookAt: performance.now() + everyMs }
      watched.add(one)
      timer ??= setInterval(look, everyMs / TURNS).unref()
      const leave = () => {
        watched.delete(one)
        if (watched.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
      ending.signal.addEventListener('abort', leave, { once: true })
    },
  }
}
