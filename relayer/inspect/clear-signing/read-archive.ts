import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { readTar } from './read-tar.ts'
import { MOST_IMPORT_BYTES, show, type SnapshotFiles } from './snapshot-files.ts'
import { SnapshotRefused } from './snapshot-refused.ts'

const unzip = promisify(gunzip)
const FETCH_TIMEOUT_MS = 120_000

/**
 * Reads a `.tar.gz` from a file or by https.
 *
 * @param pin.sha256 SHA-256 of the compressed archive, 64 hex digits.
 * @param pin.commit The commit that `git archive` must have written into it, if it wrote one.
 * @throws SnapshotRefused for other bytes, another commit, and the faults that {@link readTar} rejects.
 */
export async function readArchive(
  place: string,
  pin: { sha256: string; commit: string | null },
): Promise<SnapshotFiles> {
  const packed = place.startsWith('https://') ? await download(place) : await readWhole(place)
  const sha256 = createHash('sha256').update(packed).digest('hex')
  if (sha256 !== pin.sha256.toLowerCase())
    throw new SnapshotRefused([`the archive's SHA-256 is ${sha256}, not ${pin.sha256}`])
  const { files, commit } = readTar(await unpack(packed))
  if (commit !== null && commit !== pin.commit)
    throw new SnapshotRefused([
      `the archive is of the commit ${show(commit)}, not ${pin.commit ?? 'of a local folder'}`,
    ])
  return files
}

async function unpack(packed: Buffer): Promise<Buffer> {
  try {
    return await unzip(packed, { maxOutputLength: MOST_IMPORT_BYTES })
  } catch (cause) {
    const isTooLong = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    const problem = isTooLong
      ? `the archive holds more than ${MOST_IMPORT_BYTES} bytes`
      : 'the archive is not gzip'
    throw new SnapshotRefused([problem])
  }
}

async function readWhole(file: string): Promise<Buffer> {
  const { size } = await stat(file)
  if (size > MOST_IMPORT_BYTES)
    throw new SnapshotRefused([`the archive is larger than ${MOST_IMPORT_BYTES} bytes`])
  return readFile(file)
}

async function download(url: string): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) })
  if (!response.ok || !response.body) throw new SnapshotRefused([`${url} answers ${response.status}`])
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of response.body as AsyncIterable<Uint8Array>) {
    length += piece.length
    if (length > MOST_IMPORT_BYTES)
      throw new SnapshotRefused([`the archive is larger than ${MOST_IMPORT_BYTES} bytes`])
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
