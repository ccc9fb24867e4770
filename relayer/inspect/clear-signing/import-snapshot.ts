import type { DatabasePool } from 'slonik'
import { insertSnapshot, type SnapshotSource } from '../../../db/inspect/clear-signing/snapshots.ts'
import { buildSnapshot } from './build-snapshot.ts'
import type { CheckSchema } from './compile-schema.ts'
import { hashFiles, type SnapshotFiles } from './snapshot-files.ts'
import { SnapshotRefused } from './snapshot-refused.ts'

/** What an import made. */
export interface ImportedSnapshot {
  /** Null for a trial, which stores nothing. */
  id: bigint | null
  descriptors: number
  /** Contracts that descriptors name, counted for each descriptor. */
  bindings: number
  /** SHA-256 over the files that were read. */
  contentHash: Buffer
  /** Descriptors that were left out, and why. */
  problems: readonly string[]
}

/**
 * Imports files as a whole and makes them active, or changes nothing.
 *
 * @param how.skipInvalid Leaves out descriptors with a problem instead of refusing all.
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
