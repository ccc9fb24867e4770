import { expect, it } from 'vitest'
import { z } from 'zod'
import { listSettings, pathOf } from '../../../gateway/config/list-settings.ts'

const whole = z.int().min(1).max(2_000)

it('lists a setting with its range, its default and its description', () => {
  const config = z.strictObject({ size: whole.default(7).describe('The size.') })
  expect(listSettings(config).settings).toEqual([
    { section: '', name: 'size', type: '1 to 2,000', isRequired: false, fallback: 7, meaning: 'The size.' },
  ])
})

it('refuses a setting without a description, and a section without one', () => {
  const config = z.strictObject({
    size: whole,
    part: z.strictObject({ mode: z.string().describe('A mode.') }),
  })
  expect(() => listSettings(config)).toThrow('settings without .describe(): size, part')
})

it('lists the members of all alternatives once, in sections of their own', () => {
  const one = z.strictObject({ kind: z.literal('one').describe('Kind.'), url: z.url().describe('Where.') })
  const two = z.strictObject({ kind: z.literal('two').describe('Kind.') })
  const config = z.strictObject({
    sources: z
      .array(z.discriminatedUnion('kind', [one, two]))
      .default([])
      .describe('The sources.'),
  })
  const { settings, sections } = listSettings(config)
  expect(settings.map((setting) => [pathOf(setting), setting.type])).toEqual([
    ['sources[].kind', '`one`, `two`'],
    ['sources[].url', 'URL'],
  ])
  expect([...sections]).toEqual([['sources[]', 'The sources.']])
})

it('shows a default that JSON cannot express', () => {
  const amount = z.string().transform((text) => BigInt(text))
  const config = z.strictObject({ start: amount.default(0n).describe('The start.') })
  expect(listSettings(config).settings[0]).toMatchObject({ fallback: '0', isRequired: false })
})
