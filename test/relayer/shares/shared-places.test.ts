import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forClient, SERVICE } from '../../../relayer/shares/client.ts'
import { SharedPlaces } from '../../../relayer/shares/shared-places.ts'

const as = <Result>(network: string, account: string | null, work: () => Result) =>
  forClient({ network, account }, work)

test('a flood pushes out its own entries, by network and within one by account', () => {
  const places = new SharedPlaces<string, number>(100)
  for (let count = 0; count < 20; count += 1) {
    as('home', 'honest', () => places.set(`own ${count}`, count))
    as('shared', 'honest', () => places.set(`neighbour ${count}`, count))
  }
  for (let count = 0; count < 10_000; count += 1) {
    as('flood', `account ${count % 100}`, () => places.set(`flood ${count}`, count))
    as('shared', 'greedy', () => places.set(`greedy ${count}`, count))
  }
  expect(places.size).toBe(100)
  for (let count = 0; count < 20; count += 1) {
    expect(as('home', 'honest', () => places.get(`own ${count}`))).toBe(count)
    expect(as('shared', 'honest', () => places.get(`neighbour ${count}`))).toBe(count)
  }
})

test('a hundred networks leave another the places that all have in equal parts', () => {
  const places = new SharedPlaces<string, number>(1_010)
  for (let count = 0; count < 10; count += 1) as('home', 'honest', () => places.set(`own ${count}`, count))
  for (let count = 0; count < 20_000; count += 1)
    as(`flood ${count % 100}`, null, () => places.set(`flood ${count}`, count))
  for (let count = 0; count < 10; count += 1) expect(places.get(`own ${count}`)).toBe(count)
})

test('a used entry belongs to its user: a flood of the client that made it does not evict it', () => {
  const places = new SharedPlaces<string, string>(10)
  as('flood', null, () => places.set('token', 'name'))
  expect(as('home', null, () => places.get('token'))).toBe('name')
  for (let count = 0; count < 100; count += 1) as('flood', null, () => places.set(`${count}`, ''))
  expect(places.get('token')).toBe('name')
})

test('a client that is alone retains its last used entries', () => {
  const places = new SharedPlaces<number, number>(3)
  for (const key of [1, 2, 3]) places.set(key, key)
  places.get(1)
  places.set(4, 4)
  expect([1, 2, 3, 4].map((key) => places.get(key))).toEqual([1, undefined, 3, 4])
})

test('places hold the last entries put there, and never more than there are', () => {
  const step = fc.record({
    network: fc.constantFrom('a', 'b', 'c', SERVICE.network),
    account: fc.constantFrom('x', 'y', null),
    act: fc.constantFrom('set', 'get', 'delete'),
    key: fc.nat(30),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 500 }), (steps) => {
      const places = new SharedPlaces<number, number>(10)
      const told = new Map<number, number>()
      for (const [at, { network, account, act, key }] of steps.entries())
        as(network, account, () => {
          if (act === 'set') {
            places.set(key, at)
            told.set(key, at)
          } else if (act === 'delete') {
            places.delete(key)
            told.delete(key)
          } else expect([undefined, told.get(key)]).toContain(places.get(key))
          expect(places.size).toBeLessThanOrEqual(10)
        })
    }),
  )
})
