import { createSlices } from '../../relayer/concurrency/next-slice.ts'
import type { AnswerRoom } from '../../schema/define/context.ts'
import { queryTooLarge } from '../../schema/define/graph-errors.ts'

/** Bytes that all answers of a document may have together, and the text that is written of them. */
export const MOST_ANSWER_BYTES = 16 * 1_024 * 1_024

/** The error of a document that asks for more. */
export const tooMuchAtOnce = () =>
  queryTooLarge(`A document is answered with at most ${MOST_ANSWER_BYTES} bytes`)

/** Creates the room for the answers of one document: an operation that begins once it is used up is refused. */
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

/** Values that are looked at before the clock is. */
const AT_ONCE = 500
/** Of a number, or of what stands around a value. */
const SHORT = 8

/** Bytes of a value as JSON, about. */
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
