import { expect, it } from 'vitest'
import { isFairOutput } from '../../../../../../relayer/transact/venues/bridge/across/check-output.ts'

const UNKNOWN = { input: null, output: null }
const dollars = { inputAmount: 1_000_000n, inputDecimals: 6, outputDecimals: 6 }

it('an output is fair between the input and the input without the highest fee, to the unit', () => {
  for (const [outputAmount, isFair] of [
    [1_000_001n, false],
    [1_000_000n, true],
    [970_000n, true],
    [969_999n, false],
    [0n, false],
  ] as const)
    expect(isFairOutput({ ...dollars, outputAmount }, 300, UNKNOWN)).toBe(isFair)
})

it('tokens of one asset with other decimals are compared by the amount of the asset', () => {
  const wide = { ...dollars, outputDecimals: 18 }
  const unit = 10n ** 12n
  expect(isFairOutput({ ...wide, outputAmount: 990_000n * unit }, 300, UNKNOWN)).toBe(true)
  expect(isFairOutput({ ...wide, outputAmount: 1_000_000n * unit + 1n }, 300, UNKNOWN)).toBe(false)
  expect(isFairOutput({ ...wide, outputAmount: 990_000n }, 300, UNKNOWN)).toBe(false)
})

it('an output that is worth too little by prices is not fair, though the amounts are', () => {
  const amounts = { ...dollars, outputAmount: 990_000n }
  expect(isFairOutput(amounts, 300, { input: 1_000n, output: 999n })).toBe(true)
  expect(isFairOutput(amounts, 300, { input: 1_000n, output: 900n })).toBe(false)
})
