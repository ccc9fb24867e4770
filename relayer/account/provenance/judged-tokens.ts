import type { Address } from 'viem'
import { keyOf, type TokenId, type TokenKey } from '../../market/tokens/token-id.ts'
import type { Judgement } from './build-transactions.ts'

/** From which amount on each token counts as asked for, in its smallest unit; null or missing where no amount does. */
export type LeastTrusted = ReadonlyMap<TokenKey, bigint | null>

/** What was judged by the worth of tokens, so that one can tell whether another worth would have changed it. */
export interface JudgedTokens {
  /** Judges by bounds, and remembers how. */
  by(least: LeastTrusted): Pick<Judgement, 'isUnsolicited' | 'isForgeable'>
  /** All tokens that were judged. */
  ids(): readonly TokenId[]
  /** Whether all would be judged the same by other bounds. */
  isSame(least: LeastTrusted): boolean
}

interface Judged {
  id: TokenId
  hadBound: boolean
  hadNone: boolean
  /** The largest amount that was too little, and the least that was enough; null where there was none. */
  tooLittle: bigint | null
  enough: bigint | null
}

/** Nothing was judged yet. */
export function createJudgedTokens(): JudgedTokens {
  const judged = new Map<TokenKey, Judged>()
  const recall = (id: TokenId, bound: bigint | null): Judged => {
    const key = keyOf(id)
    const known = judged.get(key) ?? { id, hadBound: false, hadNone: false, tooLittle: null, enough: null }
    judged.set(key, known)
    if (bound === null) known.hadNone = true
    else known.hadBound = true
    return known
  }
  return {
    by(least) {
      const boundOf = (chainId: number, address: Address) => {
        const id = { chainId, address }
        const bound = least.get(keyOf(id)) ?? null
        return { bound, known: recall(id, bound) }
      }
      return {
        isUnsolicited(chainId, token, amount) {
          const { bound, known } = boundOf(chainId, token)
          if (bound === null) return true
          if (amount < bound) {
            if (known.tooLittle === null || amount > known.tooLittle) known.tooLittle = amount
            return true
          }
          if (known.enough === null || amount < known.enough) known.enough = amount
          return false
        },
        isForgeable: (chainId, token) => boundOf(chainId, token).bound === null,
      }
    },
    ids: () => [...judged.values()].map(({ id }) => id),
    isSame: (least) =>
      [...judged].every(([key, { hadBound, hadNone, tooLittle, enough }]) => {
        const bound = least.get(key) ?? null
        if (bound === null) return !hadBound
        return !hadNone && (tooLittle === null || tooLittle < bound) && (enough === null || bound <= enough)
      }),
  }
}
