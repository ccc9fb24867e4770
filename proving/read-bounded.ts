/** The bytes of an answer; null when there are more than so many, of which no more is then read. */
export async function readBoundedBytes(response: Response, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The text of an answer; null when it is larger than so many bytes, of which no more is then read. */
export async function readBounded(response: Response, maxBytes: number): Promise<string | null> {
  const bytes = await readBoundedBytes(response, maxBytes)
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}
