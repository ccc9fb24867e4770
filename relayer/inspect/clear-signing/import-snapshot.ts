import type { DatabasePool } from 'slonik'
import { insertSnapshot, type SnapshotSource } from '../../../db/inspect/clear-signing/snapshots.ts'
import { buildSnapshot } from './build-snapshot.ts'
import type { CheckSchema } from './compile-schema.ts'
import { hashFiles, type SnapshotFiles } from './snapshot-files.ts'
import { SnapshotRefused } from './snapshot-refused.ts'

/** The result of an import. */
export interface ImportedSnapshot {
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
