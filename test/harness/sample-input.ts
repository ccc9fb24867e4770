import type { core, z } from 'zod'
import { inspectShape } from '../../schema/define/inspect-shape.ts'
import type { Operation } from '../../schema/define/operation.ts'

/** Texts of various formats; the first one that a shape accepts is its sample. */
const TEXTS = [
  '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
  '3f2b8a52-6c1e-4d0b-9a57-0f6f5f0c2a11',
  '1',
  'name',
  '0x12345678',
  '2030-01-01T00:00:00.000Z',
  'https://service.example/path',
  'somebody@service.example',
  'bmFtZQ==',
  `0x${'11'.repeat(65)}`,
  `0x${'11'.repeat(32)}`,
  'x'.repeat(43),
]

/**
 * An input with every required member, each of the right type and, if a text of the list fits, of the right format.
 */
export function sampleOf(shape: core.$ZodType): unknown {
  const { base } = inspectShape(shape)
  const { def } = base._zod
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape)
          .filter(([, member]) => !inspectShape(member).optional)
          .map(([name, member]) => [name, sampleOf(member)]),
      )
    case 'array':
      return lengthsOf(def.checks ?? []).map(() => sampleOf(def.element))
    case 'enum':
      return Object.values(def.entries)[0]
    case 'literal':
      return def.values[0]
    case 'boolean':
      return true
    case 'number':
      return 1
    case 'union':
      return sampleOf(def.options[0]!)
    case 'string':
      return TEXTS.find((text) => (shape as z.ZodType).safeParse(text).success) ?? 'text'
    default:
      return {}
  }
}

/** As many elements as an array must have, at least one. */
function lengthsOf(checks: readonly core.$ZodCheck[]): undefined[] {
  const bounds = checks.map(({ _zod }) => {
    const def = _zod.def as { minimum?: number; length?: number }
    return def.minimum ?? def.length ?? 1
  })
  return Array.from({ length: Math.max(1, ...bounds) })
}

export interface SampleInput {
  path: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
}

/** A sample of the whole input of an operation, for the given account. */
export function sampleInput({ input }: Operation, accountId: string): SampleInput {
  const path = input.path ? (sampleOf(input.path) as Record<string, unknown>) : {}
  return {
    path: 'accountId' in path ? { ...path, accountId } : path,
    query: input.query ? (sampleOf(input.query) as Record<string, unknown>) : {},
    body: input.body && sampleOf(input.body),
  }
}
