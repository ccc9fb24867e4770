import { expect, test } from 'vitest'
import { type ReadClaims, createVerifiedTokens } from '../../../relayer/identity/tokens.ts'

const claims: ReadClaims = {
  kind: 'session',
  authAddress: '0x00000000000000000000000000000000000000aa',
  keyAccessMethod: 'unknown',
  tokenId: 'd9c6b4a1-8b0f-4d0c-9f5b-0f3c7a6b2e11',
  expiresAt: 100_000,
}

test('a verified token stays known until the second in which it expires', () => {
  let now = 99_999
  const verified = createVerifiedTokens(() => now)
  const token = { claims, keyId: 'key', expiresAt: 100 }
  verified.add('one', token)
  expect(verified.find('one')).toEqual(token)
  expect(verified.find('one ')).toBe(null)
  now = 100_000
  expect(verified.find('one')).toBe(null)
})

test('the oldest of very many tokens is forgotten', () => {
  const verified = createVerifiedTokens(() => 0)
  for (let place = 0; place <= 10_000; place += 1)
    verified.add(String(place), { claims, keyId: String(place), expiresAt: 1 })
  expect(verified.find('0')).toBe(null)
  expect(verified.find('1')?.keyId).toBe('1')
  expect(verified.find('10000')?.keyId).toBe('10000')
})
