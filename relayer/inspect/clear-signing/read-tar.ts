import { demandSafePath, isWanted, MOST_FILE_BYTES, MOST_FILES, show } from './snapshot-files.ts'
import { SnapshotRefused } from './snapshot-refused.ts'

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
