import { setImmediate } from 'node:timers/promises'

/** Elements whose fields are resolved in one go. */
const SLICE = 25

/**
 * A list whose elements are resolved slice by slice, each in a round of the event loop of its own: the executor would
 * resolve all fields of all elements at once, and a list may have thousands. Short ones are left as they are.
 */
export function paceList(list: unknown): unknown {
  if (!Array.isArray(list) || list.length <= SLICE) return list
  const paced: unknown[] = list.slice(0, SLICE)
  let turn = Promise.resolve()
  for (let start = SLICE; start < list.length; start += SLICE) {
    const mine = turn.then(() => setImmediate())
    turn = mine
    for (const element of list.slice(start, start + SLICE)) paced.push(mine.then((): unknown => element))
  }
  return paced
}
