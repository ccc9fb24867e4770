import { setImmediate } from 'node:timers/promises'

/** Elements that are written at a time: about a millisecond, after which other requests run. */
const SLICE = 100

/**
 * A value as JSON. A value with long lists among its members is written slice by slice, so that other requests run in
 * between.
 */
export async function writeJson(value: unknown): Promise<string> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  if (!members.some(([, member]) => isLong(member))) return JSON.stringify(value)
  const written: string[] = []
  for (const [name, member] of members) {
    const text: string = isLong(member) ? await writeList(member) : JSON.stringify(member)
    written.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${written.join()}}`
}

const isLong = (member: unknown): member is unknown[] => Array.isArray(member) && member.length > SLICE

async function writeList(list: readonly unknown[]): Promise<string> {
  const slices: string[] = []
  for (let start = 0; start < list.length; start += SLICE) {
    if (start > 0) await setImmediate()
    slices.push(JSON.stringify(list.slice(start, start + SLICE)).slice(1, -1))
  }
  return `[${slices.join()}]`
}
