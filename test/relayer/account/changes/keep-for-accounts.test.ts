import { expect, test } from 'vitest'
import { keepForAccounts } from '../../../../relayer/account/changes/keep-for-accounts.ts'

test('the cache evicts the least recently used entries, by weight', () => {
  const kept = keepForAccounts<string>(10)
  kept.keep('a', 'of a', 4)
  kept.keep('b', 'of b', 4)
  expect(kept.find('a')).toBe('of a')
  kept.keep('c', 'of c', 5)
  expect(['a', 'b', 'c'].map((id) => kept.find(id))).toEqual(['of a', null, 'of c'])
  // A grown entry counts with its present weight.
  kept.keep('c', 'more of c', 7)
  expect(['a', 'c'].map((id) => kept.find(id))).toEqual([null, 'more of c'])
  // The cache stores no entry that is too large, and drops its former state.
  kept.keep('c', 'all of c', 11)
  expect(kept.find('c')).toBeNull()
  kept.keep('d', 'of d', 10)
  expect(kept.find('d')).toBe('of d')
})

test('the cache forgets unused entries', async () => {
  const kept = keepForAccounts<string>(10, 20)
  for (const id of ['a', 'b']) kept.keep(id, `of ${id}`, 1)
  expect(kept.find('a')).toBe('of a')
  // Looking uses it, so it is looked only after more than that time.
  await expect.poll(() => kept.find('a'), { interval: 60 }).toBeNull()
  expect(kept.find('b')).toBeNull()
})
