/** The least that a node accepts, in wei per gas, as its refusal states it: for the tip, or for the whole price. */
export interface Minimum {
  of: 'tip' | 'price'
  wei: bigint
}

/** A number with more digits than any price is no price. */
const WEI = String.raw`['"(]?(\d{1,24})`

/** Formats of nodes; the first match counts. `classify-send-error.test.ts` has the messages. */
const STATED: readonly (readonly [RegExp, Minimum['of'], bigint?])[] = [
  [new RegExp(`gas tip cap \\d+, minimum needed ${WEI}`, 'i'), 'tip'],
  [new RegExp(`tip needed ${WEI}`, 'i'), 'tip'],
  [new RegExp(`pool gas tip cap ${WEI}`, 'i'), 'tip'],
  [new RegExp(`priority ?fee ?per ?gas too low \\d+ < ${WEI}`, 'i'), 'tip'],
  [new RegExp(`fee ?per ?gas needs to be higher than ${WEI}`, 'i'), 'price', 1n],
  [new RegExp(`minimum global gas price \\(\\S+ < ${WEI}`, 'i'), 'price', 1n],
  [new RegExp(`(?:priority ?fee|\\btip).{0,80}?(?:minimum|at least)[^\\d]{0,40}?${WEI}`, 'i'), 'tip'],
  [new RegExp(`(?:minimum|minimal|at least)[^\\d]{0,40}?${WEI}`, 'i'), 'price'],
]

/** Reads the minimum out of a refusal; null where it states none. */
export function findMinimum(message: string): Minimum | null {
  for (const [pattern, of, more = 0n] of STATED) {
    const found = pattern.exec(message)?.[1]
    if (found !== undefined) return { of, wei: BigInt(found) + more }
  }
  return null
}
