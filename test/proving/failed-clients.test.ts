import { expect, test } from 'vitest'
import { FailedClients } from '../../proving/verify-batcher.ts'

test('the last 10,000 failed clients are remembered, and the oldest are forgotten first', () => {
  const failed = new FailedClients()
  expect(failed.has('first')).toBe(false)
  failed.add('first')
  failed.add('second')
  failed.add('first') // is now the newer of the two
  expect(failed.has('first')).toBe(true)
  for (let index = 0; index < 9_999; index++) failed.add(`other ${index}`)
  expect(failed.has('second')).toBe(false)
  expect(failed.has('first')).toBe(true)
  failed.add('one more')
  expect(failed.has('first')).toBe(false)
})
