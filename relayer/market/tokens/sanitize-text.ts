/**
 * Controls, formats (bidirectional, zero-width, soft hyphen), lone surrogates, private use, unassigned. Also blanks
 * that count as letters.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u115f\u1160\u3164\uffa0\u2800\ufffd]|[\ufe00-\ufe0f]/gu
const SPACES = /[\s\p{Z}]+/gu
/** More than two marks on one letter serve to cover its neighbours. */
const MARKS = /(\p{M}{2})\p{M}+/gu

/** A text that is safe to display. */
export interface SanitizedText {
  text: string
  /** True if the text had invisible characters, which are always deliberate. */
  wasHidden: boolean
}

/**
 * Sanitizes a contract's text for display: one line, visible characters only, at most `maxLength` code points. May
 * return an empty text.
 */
export function sanitizeText(raw: string, maxLength: number): SanitizedText {
  // Bounds the work: marks may take several code points a letter.
  const bounded = raw.slice(0, maxLength * 8)
  const withoutPadding = bounded.replace(/^\0+|\0+$/g, '')
  const spaced = withoutPadding.replace(/[\t\n\v\f\r]/g, ' ')
  const visible = spaced.replace(INVISIBLE, '')
  const text = visible.normalize('NFC').replace(MARKS, '$1').replace(SPACES, ' ').trim()
  const cut = Array.from(text).slice(0, maxLength).join('').trim()
  return { text: cut, wasHidden: visible !== spaced }
}
