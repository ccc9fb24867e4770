import type { Json } from '../../../schema/client/quotes/verify-quote.ts'

/** One change of one member of an answer. */
export interface MemberLie {
  /** The path, with every index of a list as `[]`: `intents[].domain.name`. */
  member: string
  /** The change: `changed`, `removed`, `repeated`, … */
  change: string
  lie: Json
}

type Path = readonly (string | number)[]

/** Every lie that changes one member. Walking the answer finds the members, so it finds new ones too. */
export function listMemberLies(answer: Json): MemberLie[] {
  return walk(answer, []).flatMap(({ path, value }) =>
    changesOf(value, path).map(([change, changed]) => ({
      member: nameOf(path),
      change,
      lie: withValue(answer, path, changed),
    })),
  )
}

/** Removes a member, which no value does. */
const REMOVED = Symbol('removed')
type Changed = Json | typeof REMOVED

function walk(value: Json, path: Path): { path: Path; value: Json }[] {
  const here = path.length > 0 && path[0] !== 'signature' ? [{ path, value }] : []
  if (Array.isArray(value)) return [...here, ...value.flatMap((item, place) => walk(item, [...path, place]))]
  if (value === null || typeof value !== 'object') return here
  return [...here, ...Object.entries(value).flatMap(([name, item]) => walk(item, [...path, name]))]
}

function changesOf(value: Json, path: Path): [string, Changed][] {
  const removed: [string, Changed][] = typeof path.at(-1) === 'string' ? [['removed', REMOVED]] : []
  if (Array.isArray(value)) {
    const [first] = value
    const longer: [string, Changed] =
      first === undefined ? ['filled', ['0x01']] : ['repeated', [...value, first]]
    return first === undefined ? [longer, ...removed] : [longer, ['emptied', []], ...removed]
  }
  if (value === null) return [['invented', 'x']]
  if (typeof value === 'object') return removed
  return [...changesOfLeaf(value), ...removed]
}

function changesOfLeaf(value: string | number | boolean): [string, Changed][] {
  if (typeof value === 'boolean') return [['changed', !value]]
  if (typeof value === 'number')
    return [
      ['changed', value + 1],
      ['zero', 0],
    ]
  if (/^0x[0-9a-f]{40}$/i.test(value)) return [['changed', lookAlike(value)]]
  if (/^0x(?:[0-9a-f]{2})*$/i.test(value))
    return [
      ['changed', value === '0x' ? '0x01' : flipped(value)],
      ['longer', `${value}00`],
    ]
  if (/^\d+$/.test(value))
    return [
      ['one more', String(BigInt(value) + 1n)],
      ['one less', String(value === '0' ? 7n : BigInt(value) - 1n)],
      ['huge', String(2n ** 200n)],
    ]
  if (!Number.isNaN(Date.parse(value)) && value.includes('T'))
    return [['changed', new Date(Date.parse(value) + 86_400_000).toISOString()]]
  return [['changed', `${value}x`]]
}

/** Another address with the same first and last four digits. */
export function lookAlike(address: string): `0x${string}` {
  const digits = address.slice(2).toLowerCase()
  const middle = digits.slice(4, 36)
  return `0x${digits.slice(0, 4)}${middle.replaceAll(/./g, (digit) => (digit === '7' ? '8' : '7'))}${digits.slice(36)}`
}

function flipped(bytes: string): string {
  const place = Math.floor(bytes.length / 2)
  return `${bytes.slice(0, place)}${bytes[place] === 'a' ? 'b' : 'a'}${bytes.slice(place + 1)}`
}

function withValue(answer: Json, [step, ...rest]: Path, changed: Changed): Json {
  if (step === undefined) return changed === REMOVED ? null : changed
  if (Array.isArray(answer))
    return answer.map((item, place) => (place === step ? withValue(item, rest, changed) : item))
  const { [String(step)]: value = null, ...others } = answer as Record<string, Json>
  if (rest.length === 0 && changed === REMOVED) return others
  return { ...others, [String(step)]: withValue(value, rest, changed) }
}

const nameOf = (path: Path) =>
  path.reduce<string>(
    (name, step) => (typeof step === 'number' ? `${name}[]` : name === '' ? step : `${name}.${step}`),
    '',
  )
