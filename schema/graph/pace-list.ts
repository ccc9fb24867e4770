import { nextSlice } from '../../relayer/concurrency/next-slice.ts'

/** Elements whose fields are resolved in one round of the event loop. */
const SLICE = 25

/**
 * A list whose elements are resolved in slices, each in its own round of the event loop. The executor would otherwise
 * resolve all fields of all elements in one round, and a list may have thousands of elements. Short lists are
 * returned unchanged.
 */
export function paceList(list: unknown): unknown {
  if (!Array.isArray(list) || list.length <= SLICE) return list
  const paced: unknown[] = list.slice(0, SLICE)
  let turn = Promise.resolve()
  for (let start = SLICE; start < list.length; start += SLICE) {
    const mine = turn.then(() => nextSlice())
    turn = mine
    for (const element of list.slice(start, start + SLICE)) paced.push(mine.then((): unknown => element))
  }
  return paced
}
