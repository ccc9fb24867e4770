import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** A string of JSON, or white space between what else there is. */
const STRING_OR_SPACE = /("(?:[^"\\]|\\.)*")|\s+/g
const SHOWN = 60

/**
 * Reads a JSON file of the linter. JSON.parse silently keeps the last of two equal keys, and the order of the other was lost.
 *
 * @throws Error for a key that stands twice in one object.
 */
export function readJson(file: URL): unknown {
  const text = readFileSync(file, 'utf8')
  const value = JSON.parse(text) as unknown
  const given = text.replaceAll(STRING_OR_SPACE, '$1')
  const kept = JSON.stringify(value)
  if (given === kept) return value
  let same = 0
  while (given[same] === kept[same]) same += 1
  const place = given.slice(Math.max(0, same - SHOWN), same + SHOWN)
  throw new Error(`${basename(file.pathname)}: a key stands twice in one object, at or before: … ${place} …`)
}
