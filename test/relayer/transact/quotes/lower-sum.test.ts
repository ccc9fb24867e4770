import { expect, it } from 'vitest'
import { type Input, drawRest, lowerSum } from '../../../../relayer/transact/quotes/select-funds.ts'

const inputOf = (derivationNonce: number, free: bigint, taken = free): Input => ({
  address: `0x${String(derivationNonce).padStart(40, '0')}`,
  derivationNonce,
  free,
  taken,
  cost: 10n,
  group: null,
})
const takenOf = (selection: { inputs: readonly Input[] } | null) =>
  selection?.inputs.map(({ taken }) => taken)

it('a rest is at least one unit and less than a twentieth of the amount', () => {
  const all = (byte: number) => (size: number) => new Uint8Array(size).fill(byte)
  expect(drawRest(1_000n, all(0))).toBe(1n)
  expect(drawRest(1_000n, all(255))).toBe(46n)
  expect(drawRest(3n, all(255))).toBe(1n)
  expect(new Set(Array.from({ length: 20 }, () => drawRest(10n ** 18n))).size).toBe(20)
})

it('the rest stays where the change stays', () => {
  const selection = { inputs: [inputOf(1, 500n), inputOf(2, 400n, 300n)], dust: 0n }
  expect(takenOf(lowerSum(selection, 7n, 100n))).toEqual([500n, 293n])
})

it('the largest input keeps the rest if the last would contribute too little; an unspendable remainder is dust', () => {
  const selection = { inputs: [inputOf(1, 500n), inputOf(2, 400n, 110n)], dust: 0n }
  const lowered = lowerSum(selection, 7n, 100n)
  expect(takenOf(lowered)).toEqual([493n, 110n])
  expect(lowered?.dust).toBe(7n)
})

it('nothing stays where every address would contribute too little', () => {
  const selection = { inputs: [inputOf(1, 110n), inputOf(2, 400n, 110n)], dust: 0n }
  expect(lowerSum(selection, 7n, 100n)).toBeNull()
})
