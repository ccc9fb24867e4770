import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAddressFilter, testOver } from '../../../../relayer/chain/indexer/address-filter.ts'

const address = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)

test('the filter contains all added addresses, in any case, as topics, and in other threads', () => {
  fc.assert(
    fc.property(fc.array(address, { minLength: 1, maxLength: 3_000 }), fc.array(address), (own, others) => {
      const filter = createAddressFilter()
      for (const one of own) filter.add(one)
      expect(filter.size).toBe(new Set(own.map((one) => one.slice(-16))).size)
      const view = testOver(filter.shared)
      for (const one of own) {
        expect(filter.has(one)).toBe(true)
        expect(view.has(one.toUpperCase())).toBe(true)
        expect(view.has(`0x${'0'.repeat(24)}${one.slice(2)}`)).toBe(true)
      }
      const tails = new Set(own.map((one) => one.slice(-16)))
      for (const one of others) expect(filter.has(one)).toBe(tails.has(one.slice(-16)))
    }),
    { numRuns: 30 },
  )
})

test('the zero address can be added like any other', () => {
  const filter = createAddressFilter()
  const zero = `0x${'0'.repeat(40)}`
  expect(filter.has(zero)).toBe(false)
  expect(filter.add(zero)).toBe(true)
  expect(filter.add(zero)).toBe(false)
  expect(filter.has(zero)).toBe(true)
})

test('a million addresses take at most 64 MiB, also while the table grows', () => {
  const filter = createAddressFilter()
  for (let count = 0; count < 1_000_000; count += 1)
    filter.add(`0x${'0'.repeat(24)}${(count * 2_654_435_761).toString(16).padStart(16, '0')}`)
  expect(filter.size).toBe(1_000_000)
  expect(filter.shared.byteLength * 1.5).toBeLessThanOrEqual(64 * 2 ** 20)
})

test('addresses chosen to collide are spread like others', () => {
  const filter = createAddressFilter(10_000)
  const hex = (word: number) => (word >>> 0).toString(16).padStart(8, '0')
  for (let one = 1; one <= 10_000; one += 1)
    filter.add(`0x${'0'.repeat(24)}${hex(one)}${hex(one ^ 0x5a5a5a5a)}`)
  expect(filter.size).toBe(10_000)
  const words = new Uint32Array(filter.shared)
  let [longest, run] = [0, 0]
  for (let index = 1; index < words.length; index += 2) {
    run = words[index] === 0 ? 0 : run + 1
    longest = Math.max(longest, run)
  }
  // With two thirds of the slots in use at random, the longest runs have a few hundred slots.
  expect(longest).toBeLessThan(2_000)
})
