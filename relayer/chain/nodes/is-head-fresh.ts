import type { Chain } from './chain.ts'

/** True if a chain's newest head was read at most `staleAfterMs` before `now` (milliseconds). */
export function isHeadFresh(chain: Pick<Chain, 'config' | 'head'>, now: number): boolean {
  const head = chain.head()
  return head !== null && now - head.seenAt <= chain.config.staleAfterMs
}
