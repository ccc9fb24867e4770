/** Maximum length of an accepted number; doubles written out in full have about 330 digits. */
const MAX_LENGTH = 64
const MAX_EXPONENT = 60

/**
 * Writes a JSON number without an exponent: `1.5e-7` becomes `0.00000015`. Null for text that is no number or out of
 * range.
 */
export function toDecimalText(text: string): string | null {
  const parts = text.length <= MAX_LENGTH ? /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text) : null
  if (!parts) return null
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = parts
  const exponent = Number(exponentText)
  if (Math.abs(exponent) > MAX_EXPONENT) return null
  const digits = whole + fraction
  const point = whole.length + exponent
  const left = point <= 0 ? '0' : digits.slice(0, point).padEnd(point, '0')
  const right = (point < 0 ? '0'.repeat(-point) : '') + digits.slice(Math.max(point, 0))
  const tidy = `${left.replace(/^0+(?=\d)/, '')}${right.replace(/0+$/, '') && `.${right.replace(/0+$/, '')}`}`
  return tidy === '0' ? '0' : sign + tidy
}

/** Parses JSON with every number as its own text, because a price must not pass through a double. @throws SyntaxError */
export function parseExactJson(text: string): unknown {
  const keepNumbers = (_: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value
  return JSON.parse(text, keepNumbers)
}
