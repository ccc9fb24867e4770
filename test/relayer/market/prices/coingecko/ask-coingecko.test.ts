import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  parseExactJson,
  toDecimalText,
} from '../../../../../relayer/market/prices/coingecko/ask-coingecko.ts'
import { parseUsd, usdToNumber, valueInUsd } from '../../../../../relayer/market/prices/usd.ts'

describe('toDecimalText', () => {
  it.each([
    ['3000', '3000'],
    ['0.10', '0.1'],
    ['1.5e-7', '0.00000015'],
    ['1E3', '1000'],
    ['12.345e1', '123.45'],
    ['12.345e2', '1234.5'],
    ['-0.5', '-0.5'],
    ['-0', '0'],
    ['0e0', '0'],
    ['0.000', '0'],
    ['1e-61', null],
    ['1e61', null],
    ['NaN', null],
    ['1'.repeat(65), null],
    ['0x10', null],
    ['', null],
    ['+1', null],
  ])('%s is %s', (text, decimal) => {
    expect(toDecimalText(text)).toBe(decimal)
  })

  it('writes the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: 1e-40, max: 1e40 }), (value) => {
        const text = toDecimalText(JSON.stringify(value))
        expect(text).toMatch(/^\d+(\.\d*[1-9])?$/)
        expect(Number(text)).toBe(value)
      }),
    )
  })
})

it('keeps the digits that a double would lose', () => {
  expect(parseExactJson('{"a":[1234567890.12345678901234567890,true,null,"1.0"]}')).toEqual({
    a: ['1234567890.12345678901234567890', true, null, '1.0'],
  })
})

describe('dollars', () => {
  it('are exact to 30 places', () => {
    expect(parseUsd('1')).toBe(10n ** 30n)
    expect(parseUsd('0.000000000000000000000000000001')).toBe(1n)
    expect(parseUsd(`0.${'9'.repeat(31)}`)).toBe(10n ** 30n - 1n)
    expect(valueInUsd(1n, 18, { usd: parseUsd('3000') })).toBe(3_000n * 10n ** 12n)
    expect(usdToNumber(valueInUsd(1_234_567n, 6, { usd: parseUsd('0.9995') }))).toBe(1.2339497165)
  })

  it.each(['', '-1', '1e3', '.5', '1.', 'x', '1,0'])('are refused for %j', (text) => {
    expect(() => parseUsd(text)).toThrow(RangeError)
  })
})
