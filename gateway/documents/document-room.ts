import { createSlices } from '../../relayer/concurrency/next-slice.ts'
import type { AnswerRoom } from '../../schema/define/context.ts'
import { queryTooLarge } from '../../schema/define/graph-errors.ts'

/** Bytes that all answers of a document, and the text written of them, may have together. */
export const MOST_ANSWER_BYTES = 16 * 1_024 * 1_024

/** The error of a document beyond that limit. */
export const tooMuchAtOnce = () =>
  queryTooLarge(`A document is answered with at most ${MOST_ANSWER_BYTES} bytes`)

/** Tracks the answer bytes of one document: once they are used up, further operations are refused. */
export function createDocumentRoom(): AnswerRoom {
  let left = MOST_ANSWER_BYTES
  const demand = () => {
    if (left < 0) throw tooMuchAtOnce()
  }
  return {
    demand,
    async take(answer) {
      left -= await measure(answer)
      demand()
    },
  }
}

/** Values measured between two checks of the clock. */
const AT_ONCE = 500
/** Bytes of a number, or around a value. */
const SHORT = 8

/** Estimates the bytes of a value as JSON. */
async function measure(value: unknown): Promise<number> {
  const paced = createSlices()
  const open = [value]
  let bytes = 0
  for (let looked = 1; open.length > 0; looked += 1) {
    const next = open.pop()
    bytes += SHORT
    if (typeof next === 'string') bytes += next.length
    else if (Array.isArray(next)) for (const item of next) open.push(item)
    else if (typeof next === 'object' && next !== null)
      for (const [name, member] of Object.entries(next)) {
        bytes += name.length
        open.push(member)
      }
    const turn = looked % AT_ONCE === 0 ? paced() : undefined
    if (turn) await turn
  }
  return bytes
}
