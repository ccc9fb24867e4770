import { expect, it } from 'vitest'
import { z } from 'zod'
import { described, describedAs, shape } from '../../../schema/define/shape.ts'

const known = shape('Known', 'A thing.', { name: described(z.string(), 'What the thing is called.') })

it('preserves the examples and the name of a type whose member gets words of its own', () => {
  const example = described(z.string().meta({ examples: ['a'] }), 'A letter.')
  expect(z.globalRegistry.get(example)).toEqual({ description: 'A letter.', examples: ['a'] })
  const member = described(known, 'The thing that was asked for.')
  const { properties } = z.toJSONSchema(z.object({ member })) as { properties: object }
  expect(properties).toEqual({
    member: { $ref: '#/$defs/Known', description: 'The thing that was asked for.' },
  })
})

it('gives members the words of another shape', () => {
  const { name } = describedAs({ name: z.string().max(4) }, known.shape)
  expect(z.globalRegistry.get(name)?.description).toBe('What the thing is called.')
  expect(name.safeParse('too long').success).toBe(false)
})
