import { isObject, type Json, type JsonObject } from './parse-strict-json.ts'

/**
 * Merges a descriptor over an included one by the rules of ERC-7730. Its own members take precedence, and objects are
 * merged. Fields of a format are merged by their `path`; new fields come after the included ones.
 */
export function mergeDescriptors(including: JsonObject, included: JsonObject): JsonObject {
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
