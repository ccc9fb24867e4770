import { expect, it } from 'vitest'
import { readBearer } from '../../../gateway/http/create-operation-context.ts'

it.each([
  ['Bearer abc.DEF-_~+/==', 'abc.DEF-_~+/=='],
  ['bearer abc', 'abc'],
  ['Bearer  abc', 'abc'],
])('a bearer token is found in %j', (header, token) => {
  expect(readBearer(header)).toBe(token)
})

it.each([
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'abc',
  'Basic abc',
  'Bearer a b',
  'Bearer a, Bearer b',
  'Bearer "a"',
  'Bearer a=b',
  'Bearer ä',
  ' Bearer a',
  'Bearer\ta',
  'Bearerabc',
  `Bearer ${'a'.repeat(5_000)}`,
])('no bearer token is found in %j', (header) => {
  expect(readBearer(header)).toBeNull()
})
