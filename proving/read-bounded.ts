/** The text of an answer; null when it is larger than so many bytes, of which no more is then read. */
export async function readBounded(response: Response, maxBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
