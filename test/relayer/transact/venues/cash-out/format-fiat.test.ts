import { parseEther } from 'viem'
import { expect, it } from 'vitest'
import { formatFiat, formatRate } from '../../../../../relayer/transact/venues/cash-out/format-fiat.ts'

it('an amount of money has two decimals, is rounded down, and names its currency', () => {
  const usd = { rate: parseEther('0.9999'), currency: 'USD' }
  expect(formatFiat(100_000_000n, 6, usd)).toBe('99.99 USD')
  expect(formatFiat(1_000_000n, 6, usd)).toBe('0.99 USD')
  expect(formatFiat(9_999n, 6, usd)).toBe('0.00 USD')
  expect(formatFiat(10n ** 24n, 18, { rate: parseEther('152.345'), currency: 'JPY' })).toBe(
    '152345000.00 JPY',
  )
  expect(formatFiat(1n, 0, { rate: parseEther('0.055'), currency: 'EUR' })).toBe('0.05 EUR')
})

it('a rate has no more decimals than it needs', () => {
  expect(formatRate(parseEther('1'))).toBe('1')
  expect(formatRate(parseEther('0.92'))).toBe('0.92')
  expect(formatRate(1n)).toBe('0.000000000000000001')
  expect(formatRate(parseEther('1520.50'))).toBe('1520.5')
})
