import fc from 'fast-check'
import type { core } from 'zod'
import { inspectShape } from '../../schema/define/inspect-shape.ts'
import { graphTerms } from '../../schema/define/shape.ts'

/**
 * Inputs of a shape with the types of its members, of which many break its other rules: formats, lengths, ranges. Wrong
 * types, values outside of an enum and huge pages are left out, because GraphQL refuses them by itself.
 *
 * @param texts Texts that mean something to the service, such as an address of the caller.
 */
export function inputsOf(shape: core.$ZodType, texts: readonly string[]): fc.Arbitrary<unknown> {
  const { base } = inspectShape(graphTerms.get(shape)?.type ?? shape)
  const { def } = base._zod
  switch (def.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(def.shape).map(([name, member]) => [
            name,
            name === 'limit' ? fc.constantFrom(0, 1, 50, 600) : inputsOf(member, texts),
          ]),
        ),
        {
          requiredKeys: Object.entries(def.shape)
            .filter(([, member]) => !inspectShape(member).optional)
            .map(([name]) => name),
        },
      )
    case 'array':
      return fc.array(inputsOf(def.element, texts), { maxLength: 2 })
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries))
    case 'literal':
      return fc.constantFrom(...def.values)
    case 'boolean':
      return fc.boolean()
    case 'number':
      return fc.constantFrom(0, 1, 2, 50, 31_337, 1_000_000_007)
    case 'union':
      return fc.oneof(...def.options.map((option) => inputsOf(option, texts)))
    case 'string':
      return fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...texts) },
        { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 }) },
      )
    default:
      return fc.constant({})
  }
}
