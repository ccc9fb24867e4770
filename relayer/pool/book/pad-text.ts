/** Text as UTF-8, with spaces behind it up to a multiple of `stepBytes`. */
export function padText(text: string, stepBytes: number): Uint8Array {
  const bytes = Buffer.from(text, 'utf8')
  const padded = Buffer.alloc(Math.ceil(bytes.length / stepBytes) * stepBytes, ' ')
  bytes.copy(padded)
  return padded
}

/** The text of {@link padText}, spaces at its end left out. */
export const unpadText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8').trimEnd()
