import {
  type NewDescriptor,
  insertSnapshot,
  type SnapshotSource,
} from '../../../db/inspect/clear-signing/snapshots.ts'
import { checkDescriptor, kindOfFile } from './check-descriptor.ts'
import type { CheckSchema } from './compile-schema.ts'
import { MOST_IMPORT_BYTES, show, type SnapshotFiles, SnapshotRefused, hashFiles } from './snapshot-files.ts'
import type { DatabasePool } from 'slonik'

const MOST_BINDINGS = 500_000

/** The descriptors of an import, and why others were rejected. */
export interface BuiltSnapshot {
  descriptors: readonly NewDescriptor[]
  /** A line each. */
  problems: readonly string[]
}

/**
 * Checks every descriptor of the files, and rejects those that describe the same call of one contract.
 *
 * @throws SnapshotRefused if there is no descriptor, or if all together exceed the limits.
 */
export function buildSnapshot(files: SnapshotFiles, checkSchema: CheckSchema): BuiltSnapshot {
  const problems: string[] = []
  const checked: NewDescriptor[] = []
  let length = 0
  for (const path of [...files.keys()].toSorted()) {
    const kind = kindOfFile(path)
    if (kind === null) continue
    try {
      const descriptor = checkDescriptor(files, path, kind, checkSchema)
      checked.push(descriptor)
      length += descriptor.document.length
    } catch (error) {
      problems.push(`${path}: ${show(error instanceof Error ? error.message : String(error))}`)
    }
    if (length > MOST_IMPORT_BYTES)
      throw new SnapshotRefused([`the descriptors are longer than ${MOST_IMPORT_BYTES} bytes when merged`])
  }
  const descriptors = refuseTwice(checked, problems)
  if (descriptors.length === 0 && problems.length === 0)
    throw new SnapshotRefused([
      'there are no descriptors: expected registry/…/calldata-*.json or eip712-*.json, or ercs/',
    ])
  return { descriptors, problems }
}

/** Rejects all descriptors with the same claim, because none of them is provably right. */
function refuseTwice(checked: readonly NewDescriptor[], problems: string[]): NewDescriptor[] {
  const claims = new Map<string, string>()
  const refused = new Set<string>()
  for (const { path, kind, formats, deployments } of checked)
    for (const { chainId, address } of deployments)
      for (const { hash } of formats) {
        const claim = `${kind} ${chainId} ${address} ${kind === 'calldata' ? hash.slice(0, 10) : hash}`
        const other = claims.get(claim)
        if (other !== undefined) {
          if (!refused.has(path)) problems.push(`${path}: describes what ${other} describes: ${claim}`)
          refused.add(path).add(other)
        }
        claims.set(claim, path)
        if (claims.size > MOST_BINDINGS) throw new SnapshotRefused([`more than ${MOST_BINDINGS} bindings`])
      }
  return checked.filter(({ path }) => !refused.has(path))
}

/** The result of an import. */
interface ImportedSnapshot {
  /** Null for a trial, which stores nothing. */
  id: bigint | null
  descriptors: number
  /** Contracts that descriptors name, counted once per descriptor. */
  bindings: number
  /** SHA-256 over the files. */
  contentHash: Buffer
  /** The rejected descriptors, with reasons. */
  problems: readonly string[]
}

/**
 * Imports files as a whole and makes them active, or changes nothing.
 *
 * @param how.skipInvalid Skips descriptors with a problem instead of rejecting the import.
 * @throws SnapshotRefused with every problem.
 */
export async function importSnapshot(
  database: DatabasePool,
  files: SnapshotFiles,
  source: Omit<SnapshotSource, 'contentHash'>,
  how: { checkSchema: CheckSchema; skipInvalid?: boolean; dryRun?: boolean },
): Promise<ImportedSnapshot> {
  const { descriptors, problems } = buildSnapshot(files, how.checkSchema)
  if (problems.length > 0 && !how.skipInvalid) throw new SnapshotRefused(problems)
  if (descriptors.length === 0) throw new SnapshotRefused(['no descriptor is left', ...problems])
  const contentHash = hashFiles(files)
  return {
    id: how.dryRun ? null : await insertSnapshot(database, { ...source, contentHash }, descriptors),
    descriptors: descriptors.length,
    bindings: descriptors.reduce((total, { deployments }) => total + deployments.length, 0),
    contentHash,
    problems,
  }
}
