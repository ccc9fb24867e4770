/** Reads the bytes of an answer; returns null, and stops reading, beyond `maxBytes`. */
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

/** Reads the text of an answer; returns null, and stops reading, beyond `maxBytes`. */
export async function readBounded(response: Response, maxBytes: number): Promise<string | null> {
  const bytes = await readBoundedBytes(response, maxBytes)
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}
