import { expect, test } from 'vitest'
import { forClient } from '../../../../relayer/shares/client.ts'
import { rememberPrices } from '../../../../relayer/market/prices/open-prices.ts'
import type { Price } from '../../../../relayer/market/prices/prices.ts'
import { keyOf, type TokenId } from '../../../../relayer/market/tokens/token-id.ts'

const [A, B]: TokenId[] = (
  ['0x00000000000000000000000000000000000000A1', '0x00000000000000000000000000000000000000b2'] as const
).map((address) => ({ chainId: 1, address }))
const AN_HOUR = 3_600_000

/** Readings of prices that are counted, and that fail while they are to. */
function countReadings() {
  const state = { asked: [] as string[][], usd: 1n, fails: false }
  const prices = {
    async read(tokens: readonly TokenId[]) {
      state.asked.push(tokens.map(keyOf))
      if (state.fails) throw new Error('the database is away')
      const price: Price = { usd: state.usd, observedAt: new Date(0), stale: false }
      return new Map(tokens.map((id) => [keyOf(id), id === B ? null : price]))
    },
  }
  return { state, prices }
}

test('a price is read once for many simultaneous and later askers, and so is its absence', async () => {
  const { state, prices } = countReadings()
  const remembered = rememberPrices(prices, AN_HOUR)
  const ask = (account: string) =>
    forClient({ network: '192.0.2.1', account }, () => remembered.read([A!, B!]))
  const answers = await Promise.all(['one', 'two', 'three'].map(ask))
  for (const answer of [...answers, await ask('four')])
    expect([...answer.values()].map((price) => price?.usd ?? null)).toEqual([1n, null])
  expect(state.asked).toEqual([[keyOf(A!), keyOf(B!)]])
})

test('only the tokens that are not remembered are read', async () => {
  const { state, prices } = countReadings()
  const remembered = rememberPrices(prices, AN_HOUR)
  await remembered.read([A!])
  const both = await remembered.read([B!, A!])
  expect([...both.keys()]).toEqual([keyOf(B!), keyOf(A!)])
  expect(state.asked).toEqual([[keyOf(A!)], [keyOf(B!)]])
})

test('a new round, the end of the time and a failed reading make them be read again', async () => {
  const { state, prices } = countReadings()
  const remembered = rememberPrices(prices, AN_HOUR)
  state.fails = true
  await expect(remembered.read([A!])).rejects.toThrow('the database is away')
  state.fails = false
  expect((await remembered.read([A!])).get(keyOf(A!))?.usd).toBe(1n)
  state.usd = 2n
  remembered.forget()
  expect((await remembered.read([A!])).get(keyOf(A!))?.usd).toBe(2n)
  const brief = rememberPrices(prices, 0)
  await brief.read([A!])
  state.usd = 3n
  expect((await brief.read([A!])).get(keyOf(A!))?.usd).toBe(3n)
})
