/** The original text of a number that JavaScript would round. */
class VerbatimNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

/** Marks a number's text until it is written; digits cannot be confused with it. */
const MARK = '\u0000verbatim:'

/** Parses JSON and preserves numbers that a double cannot hold. @throws SyntaxError */
export function parseVerbatim(text: string): unknown {
  const keep = (_: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
      ? new VerbatimNumber(context.source)
      : value
  return JSON.parse(text, keep)
}

/** Writes JSON with the numbers that parseVerbatim preserved. */
export function writeVerbatim(value: unknown): string {
  const mark = (_: string, item: unknown) => (item instanceof VerbatimNumber ? `${MARK}${item.source}` : item)
  return JSON.stringify(value, mark).replaceAll(/"\\u0000verbatim:([-+.\deE]+)"/g, '$1')
}
