import { useEffect, useState } from 'react'

const GUARD_MS = 600

/**
 * False for a moment after something new is shown, and after the window comes to the front: a page could open it under the
 * pointer of somebody who clicks twice.
 *
 * @param shown What is new when it changes.
 */
export function useGuard(shown: unknown): boolean {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = () => {
      clearTimeout(timer)
      setReady(false)
      timer = setTimeout(() => setReady(true), GUARD_MS)
    }
    wait()
    window.addEventListener('focus', wait)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('focus', wait)
    }
  }, [shown])
  return isReady
}
