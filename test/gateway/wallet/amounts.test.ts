import { expect, it } from 'vitest'
import { formatToken, parseAmount } from '../../../gateway/wallet/parts/format.ts'
import { writePaymentLink } from '../../../gateway/wallet/session/payment-link.ts'

const ETH = { symbol: 'ETH', decimals: 18 }
const TUSD = { symbol: 'TUSD', decimals: 6 }
const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

it('an amount in passing is cut, never rounded up, and never shown as zero', () => {
  expect(formatToken('1999999999999999999', ETH)).toBe('1.9999 ETH')
  expect(formatToken('1399857590', TUSD)).toBe('1,399.85 TUSD')
  expect(formatToken('399806999999999999', ETH)).toBe('0.399806 ETH')
  expect(formatToken('1', ETH)).toBe('<0.000001 ETH')
  expect(formatToken('0', ETH)).toBe('0 ETH')
})

it('an amount that is decided on is shown whole', () => {
  expect(formatToken('1999999999999999999', ETH, { whole: true })).toBe('1.999999999999999999 ETH')
  expect(formatToken(1_250_000_001n, TUSD, { whole: true })).toBe('1,250.000001 TUSD')
})

it('a written amount is taken exactly or not at all', () => {
  expect(parseAmount('0.25', 18)).toBe(250_000_000_000_000_000n)
  expect(parseAmount(' 1,5 ', 6)).toBe(1_500_000n)
  expect(parseAmount('.5', 6)).toBe(500_000n)
  const refused = ['', '.', '0', '-1', '1e3', '0x10', '1.0000001', '1,000.5', '1 000', 'NaN']
  expect(refused.filter((text) => parseAmount(text, 6) !== null)).toEqual([])
})

it('a payment link names chain, recipient and amount as EIP-681 writes them', () => {
  const coin = { chainId: 31_337, to: TO, token: '0x0000000000000000000000000000000000000000' } as const
  expect(writePaymentLink({ ...coin, amount: null })).toBe(`ethereum:${TO}@31337`)
  expect(writePaymentLink({ ...coin, amount: 5n })).toBe(`ethereum:${TO}@31337?value=5`)
  expect(writePaymentLink({ ...coin, token: TOKEN, amount: 7n })).toBe(
    `ethereum:${TOKEN}@31337/transfer?address=${TO}&uint256=7`,
  )
})
