import {
  demandSafePath,
  isWanted,
  MOST_FILE_BYTES,
  MOST_FILES,
  show,
  SnapshotRefused,
  MOST_IMPORT_BYTES,
  type SnapshotFiles,
} from './snapshot-files.ts'
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

const BLOCK = 512

/** The content of a tar archive. */
export interface TarContent {
  /** The wanted files, by path from the registry's root. */
  files: Map<string, Buffer>
  /** The commit that `git archive` wrote into the archive; null if it has none. */
  commit: string | null
}

/**
 * Reads an archive (POSIX ustar and pax). Every entry is checked, wanted or not. If all entries are in one folder, as
 * git hosts make them, that folder is the root.
 *
 * @throws SnapshotRefused for links, devices, and paths that leave the root or come twice. Also for files and entries
 * beyond the limits, and for a damaged or truncated archive.
 */
export function readTar(archive: Buffer): TarContent {
  const paths = new Map<string, Buffer | null>()
  let commit: string | null = null
  let nextPath: string | null = null
  for (let at = 0; ;) {
    const header = archive.subarray(at, at + BLOCK)
    if (header.length < BLOCK) throw new SnapshotRefused(['the archive is cut off'])
    if (header.every((byte) => byte === 0)) break
    demandChecksum(header)
    const size = readOctal(header, 124, 12)
    const content = archive.subarray(at + BLOCK, at + BLOCK + size)
    if (content.length < size) throw new SnapshotRefused(['the archive is cut off'])
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
    const type = String.fromCharCode(header[156] ?? 0)
    if (type === 'g') commit = readPax(content).get('comment') ?? commit
    else if (type === 'x') nextPath = readPax(content).get('path') ?? null
    else {
      const path = (nextPath ?? pathOf(header)).replace(/\/$/, '')
      nextPath = null
      demandSafePath(path)
      if (paths.has(path)) throw new SnapshotRefused([`${show(path)}: comes twice`])
      if (type !== '0' && type !== '\0' && type !== '5')
        throw new SnapshotRefused([
          `${show(path)}: neither a file nor a folder, but of the type ${show(type)}`,
        ])
      if (size > (type === '5' ? 0 : MOST_FILE_BYTES))
        throw new SnapshotRefused([`${show(path)}: larger than ${MOST_FILE_BYTES} bytes`])
      if (paths.size >= MOST_FILES) throw new SnapshotRefused([`more than ${MOST_FILES} files and folders`])
      paths.set(path, type === '5' ? null : content)
    }
  }
  return { files: pickWanted(paths), commit }
}

function pickWanted(paths: ReadonlyMap<string, Buffer | null>): Map<string, Buffer> {
  const roots = new Set([...paths.keys()].map((path) => path.split('/')[0]))
  const [only] = roots
  const prefix = roots.size === 1 && only !== undefined && !isRoot(only) ? `${only}/` : ''
  const files = new Map<string, Buffer>()
  for (const [path, content] of paths) {
    const own = path.slice(prefix.length)
    if (content && isWanted(own)) files.set(own, content)
  }
  return files
}

const isRoot = (name: string) => name === 'registry' || name === 'ercs'

function textOf(header: Buffer, from: number, length: number): string {
  const field = header.subarray(from, from + length)
  const end = field.indexOf(0)
  return field.subarray(0, end < 0 ? length : end).toString('utf8')
}

function pathOf(header: Buffer): string {
  const name = textOf(header, 0, 100)
  const prefix = textOf(header, 257, 6).startsWith('ustar') ? textOf(header, 345, 155) : ''
  return prefix ? `${prefix}/${name}` : name
}

function readOctal(header: Buffer, from: number, length: number): number {
  const text = textOf(header, from, length).trim()
  if (!/^[0-7]{1,11}$/.test(text)) throw new SnapshotRefused(['the archive is damaged: a number is none'])
  return parseInt(text, 8)
}

/** Checks the sum of the header's bytes, with its own field counted as blanks. */
function demandChecksum(header: Buffer): void {
  const sum = header.reduce((total, byte, place) => total + (place >= 148 && place < 156 ? 32 : byte), 0)
  if (sum !== readOctal(header, 148, 8))
    throw new SnapshotRefused(['the archive is damaged: a checksum is wrong'])
}

/** Reads records `<length> <keyword>=<value>\n`. */
function readPax(content: Buffer): Map<string, string> {
  const records = new Map<string, string>()
  for (let at = 0; at < content.length;) {
    const length = Number(/^(\d{1,7}) /.exec(content.subarray(at, at + 8).toString('latin1'))?.[1])
    const record = content.subarray(at, at + length).toString('utf8')
    const [, keyword, value] = /^\d+ ([^=]+)=([^\n]*)\n$/.exec(record) ?? []
    if (keyword === undefined || value === undefined)
      throw new SnapshotRefused(['the archive is damaged: an extended header is none'])
    // A size that differs from the header's would show different files to different readers.
    if (keyword !== 'comment' && keyword !== 'path' && keyword !== 'mtime')
      throw new SnapshotRefused([`the archive has an extended header ${show(keyword)}`])
    records.set(keyword, value)
    at += length
  }
  return records
}

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
