import { posix } from 'node:path'
import { isObject, parseStrictJson, type JsonObject, type Json } from './parse-strict-json.ts'
import type { SnapshotFiles } from './snapshot-files.ts'

const MOST_INCLUDES = 8
/** A path within the registry: no URL, no query. */
const RELATIVE = /^(?:[\w.-]+\/)*[\w.-]+\.json$/

/**
 * Returns a file's descriptor merged with all its includes.
 *
 * @throws Error for a file that is missing, outside the registry, or included in a circle, or that is no object of
 * strict JSON.
 */
export function resolveIncludes(files: SnapshotFiles, path: string): JsonObject {
  const chain: JsonObject[] = []
  const seen = new Set<string>()
  for (let next: string | null = path; next !== null;) {
    if (seen.has(next)) throw new Error(`the includes of ${next} go in a circle`)
    if (seen.size > MOST_INCLUDES) throw new Error(`more than ${MOST_INCLUDES} includes`)
    seen.add(next)
    const { own, included } = readOwn(files, next)
    chain.push(own)
    next = included
  }
  return chain.reduceRight((merged, own) => mergeDescriptors(own, merged))
}

function readOwn(files: SnapshotFiles, path: string): { own: JsonObject; included: string | null } {
  const bytes = files.get(path)
  if (!bytes) throw new Error(`includes ${path}, which the registry does not have`)
  const parsed = parseStrictJson(bytes)
  if (!isObject(parsed)) throw new Error(`${path} is no object`)
  const { includes, ...own } = parsed
  if (includes === undefined) return { own, included: null }
  if (typeof includes !== 'string' || !RELATIVE.test(includes))
    throw new Error('`includes` is no path of another file')
  // A path above the root becomes `../…`, which no file has.
  return { own, included: posix.join(posix.dirname(path), includes) }
}

/**
 * Merges a descriptor over an included one by the rules of ERC-7730. Its own members take precedence, and objects are
 * merged. Fields of a format are merged by their `path`; new fields come after the included ones.
 */
function mergeDescriptors(including: JsonObject, included: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...included }
  for (const [name, own] of Object.entries(including)) {
    const base = included[name]
    if (name === 'fields' && isList(own) && isList(base)) merged[name] = mergeFields(own, base)
    else merged[name] = isObject(own) && isObject(base) ? mergeDescriptors(own, base) : own
  }
  return merged
}

function mergeFields(including: readonly Json[], included: readonly Json[]): Json[] {
  const merged = [...included]
  const places = new Map<Json, number>()
  for (const [place, field] of included.entries()) {
    const path = pathOf(field)
    if (path !== undefined && !places.has(path)) places.set(path, place)
  }
  for (const field of including) {
    const path = pathOf(field)
    const place = path === undefined ? undefined : places.get(path)
    const base = place === undefined ? undefined : merged[place]
    if (place !== undefined && isObject(field) && isObject(base))
      merged[place] = mergeDescriptors(field, base)
    else merged.push(field)
  }
  return merged
}

const pathOf = (field: Json) =>
  isObject(field) && typeof field['path'] === 'string' ? field['path'] : undefined

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)
