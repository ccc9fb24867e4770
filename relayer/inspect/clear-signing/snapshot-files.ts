import { createHash } from 'node:crypto'

/** The relevant files of a registry, by path from its root: `registry/…/*.json` and `ercs/…/*.json`. */
export type SnapshotFiles = ReadonlyMap<string, Buffer>

/** Maximum bytes of an import, also of the archive itself. */
export const MOST_IMPORT_BYTES = 64 * 2 ** 20
/** Maximum entries of an import, folders included. */
export const MOST_FILES = 20_000
/** Maximum bytes of a file, and of a descriptor with its includes. */
export const MOST_FILE_BYTES = 2 ** 20
/** Maximum nesting of folders and JSON. */
export const MOST_DEPTH = 32
/** The folders of a registry that hold descriptors. */
export const DESCRIPTOR_FOLDERS = ['registry', 'ercs'] as const

const SEGMENT = /^(?!\.\.?$)[^/\\\p{C}]{1,255}$/u
const WANTED = /^(?:registry|ercs)\/(?:[^/]+\/)*[^/]+\.json$/
/** Test cases and attestations, which no descriptor includes. */
const BESIDE = /\/(?:tests|testsv2|sigs)\//

/** True if a file may be a descriptor, or be included by one. */
export const isWanted = (path: string): boolean => WANTED.test(path) && !BESIDE.test(path)

/** Checks a path. @throws SnapshotRefused if it leaves the root, is too deep or has unprintable characters. */
export function demandSafePath(path: string): void {
  const segments = path.split('/')
  if (segments.length > MOST_DEPTH)
    throw new SnapshotRefused([`${show(path)}: deeper than ${MOST_DEPTH} folders`])
  if (!segments.every((segment) => SEGMENT.test(segment)))
    throw new SnapshotRefused([
      `${show(path)}: the path leaves the root, or has characters that paths must not have`,
    ])
}

/** SHA-256 over the paths and hashes of the files, whatever their order. */
export function hashFiles(files: SnapshotFiles): Buffer {
  const lines = [...files].map(
    ([path, bytes]) => `${path}\0${createHash('sha256').update(bytes).digest('hex')}\n`,
  )
  return createHash('sha256').update(lines.toSorted().join('')).digest()
}

/** Makes a stranger's text safe for the operator's terminal: bounded and without control characters. */
export const show = (text: string): string =>
  JSON.stringify(text.slice(0, 200)).replaceAll(/[^\x20-\x7e]/g, '?')

/** An import was rejected and stored nothing. The operator sees the problems, a line each. */
export class SnapshotRefused extends Error {
  override name = 'SnapshotRefused'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}
