import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { HttpAnswer } from '../route/route.ts'

/** Answers with a large file, which is read from the disk for each request. @throws Error where it is missing. */
export async function streamFile(
  file: string,
  headers: Readonly<Record<string, string>>,
): Promise<HttpAnswer> {
  const { size } = await stat(file)
  return { status: 200, headers: { ...headers, 'content-length': String(size) }, body: readLater(file) }
}

/** Opens the file when the answer is read, and closes it with the answer: one to HEAD, or for a client that has gone, is never read. */
async function* readLater(file: string): AsyncGenerator<Buffer> {
  yield* createReadStream(file)
}
