import type { ExecutionResult } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { createSlices } from '../../relayer/concurrency/next-slice.ts'
import { MOST_ANSWER_BYTES, tooMuchAtOnce } from './document-room.ts'
import { resultOfError } from './result-of-error.ts'

/** Lists with more elements are written slice by slice. */
const SHORT = 16

type Written = ExecutionResult & { stringify?(result: ExecutionResult): string }

/**
 * Writes the data of long results in slices before Yoga would: one JSON.stringify of megabytes would block all other
 * work. Yoga adds the errors. Must come after plugins that set another result.
 */
export const writeInSlices: Plugin = {
  onExecute: () => ({
    async onExecuteDone({ result, setResult }) {
      if (Symbol.asyncIterator in result) return
      const { data, ...rest } = result as Written
      if (!data || rest.stringify || !hasLongList(data)) return
      const text = await writeLong(data)
      const written: Written = { ...rest, data, stringify: (masked) => addData(masked, text ?? '') }
      setResult(text === null ? resultOfError(tooMuchAtOnce()) : written)
    },
  }),
}

function addData(masked: ExecutionResult, data: string): string {
  const head = JSON.stringify({ ...masked, data: undefined })
  return `${head === '{}' ? '{' : `${head.slice(0, -1)},`}"data":${data}}`
}

/** @returns The value as JSON; null where that is longer than a document's answer may be. */
async function writeLong(value: unknown): Promise<string | null> {
  const paced = createSlices()
  const pieces: string[] = []
  let length = 0
  const put = (text: string) => {
    pieces.push(text)
    length += text.length
  }

  async function write(part: unknown): Promise<void> {
    if (length > MOST_ANSWER_BYTES) return
    const turn = paced()
    if (turn) await turn
    if (!hasLongList(part)) return put(JSON.stringify(part) ?? 'null')
    const isList = Array.isArray(part)
    let separator = isList ? '[' : '{'
    for (const [name, member] of Object.entries(part as object)) {
      put(isList ? separator : `${separator}${JSON.stringify(name)}:`)
      separator = ','
      await write(member)
    }
    put(isList ? ']' : '}')
  }

  await write(value)
  return length > MOST_ANSWER_BYTES ? null : pieces.join('')
}

/** Whether a result has a long list anywhere above its leaves. */
function hasLongList(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.length > SHORT || value.some(hasLongList)
  return Object.values(value).some(hasLongList)
}
