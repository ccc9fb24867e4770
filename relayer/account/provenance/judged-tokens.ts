import type { Address } from 'viem'
import { keyOf, type TokenId, type TokenKey } from '../../market/tokens/token-id.ts'
import type { Judgement } from './build-transactions.ts'

/** The minimum amount of each token that counts as solicited, in its smallest unit; null or missing if no amount does. */
export type LeastTrusted = ReadonlyMap<TokenKey, bigint | null>

/** Records the token judgements that depended on prices, to detect whether other prices would change them. */
export interface JudgedTokens {
  /** Judges by these bounds, and records the judgements. */
  by(least: LeastTrusted): Pick<Judgement, 'isUnsolicited' | 'isForgeable'>
  /** Returns all judged tokens. */
  ids(): readonly TokenId[]
  /** True if other bounds would give the same judgements. */
  isSame(least: LeastTrusted): boolean
}

interface Judged {
  id: TokenId
  hadBound: boolean
  hadNone: boolean
  /** The largest amount judged too little, and the smallest judged enough; null if there was none. */
  tooLittle: bigint | null
  enough: bigint | null
}

/** Creates an empty record. */
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
