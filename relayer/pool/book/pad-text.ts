/** Encodes text as UTF-8, padded with spaces to a multiple of `stepBytes`. */
export function padText(text: string, stepBytes: number): Uint8Array {
  const bytes = Buffer.from(text, 'utf8')
  const padded = Buffer.alloc(Math.ceil(bytes.length / stepBytes) * stepBytes, ' ')
  bytes.copy(padded)
  return padded
}

/** Returns the text of {@link padText} without the padding. */
export const unpadText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8').trimEnd()
