import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeIssues } from '../../../schema/define/describe-issues.ts'

const describe = (shape: z.ZodType, input: unknown) => {
  const result = shape.safeParse(input, { reportInput: true })
  return result.success ? [] : describeIssues(result.error.issues, 'body')
}
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `m${at}`)

test('a refusal names only the first few of the unknown members', () => {
  const extra = Object.fromEntries(numbered(5_000).map((name) => [name, 1]))
  expect(describe(z.strictObject({}), extra)).toEqual([
    'body: has members that are not allowed: "m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", and 4992 more',
  ])
  const [complaint] = describe(z.strictObject({}), { ['x'.repeat(1_000)]: 1 })
  expect(complaint).toHaveLength('body: has members that are not allowed: ""'.length + 41)
})

test('a refusal lists only the first few problems, without values', () => {
  const shape = z.object(Object.fromEntries(numbered(20).map((name) => [name, z.number()])))
  const secrets = Object.fromEntries(numbered(20).map((name) => [name, 'secret']))
  const complaints = describe(shape, secrets)
  expect(complaints).toHaveLength(9)
  expect(complaints.at(0)).toBe('body.m0: expected number')
  expect(complaints.at(-1)).toBe('and 12 more')
  expect(complaints.join()).not.toContain('secret')
})

test('formats and limits are described as instructions', () => {
  const shape = z.object({
    id: z.uuid(),
    page: z.url(),
    one: z.array(z.string()).min(1),
    name: z.string().min(1),
    few: z.array(z.string()).max(2),
  })
  expect(describe(shape, { id: 'x', page: 'x', one: [], name: '', few: ['a', 'b', 'c'] })).toEqual([
    'body.id: expected a uuid',
    'body.page: expected an absolute URL',
    'body.one: expected at least 1 item',
    'body.name: expected at least 1 character',
    'body.few: expected at most 2 items',
  ])
})
