import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Account } from './choose-account.ts'
import type { PostgresBinaries } from './locate-binaries.ts'

/**
 * Creates the database cluster in `stateDirectory` unless it exists, all of it or nothing, with a random password.
 * @returns The cluster's folder and the password of its user `postgres`.
 */
export async function createCluster(
  binaries: PostgresBinaries,
  account: Account,
  stateDirectory: string,
): Promise<{ cluster: string; password: string }> {
  const cluster = join(stateDirectory, 'cluster')
  const passwordFile = join(stateDirectory, 'password')
  if (existsSync(cluster)) return { cluster, password: readFileSync(passwordFile, 'utf8') }

  // A start killed half way leaves only this folder, and no cluster.
  const unfinished = join(stateDirectory, 'unfinished')
  rmSync(unfinished, { recursive: true, force: true })
  const password = randomBytes(24).toString('base64url')
  rmSync(passwordFile, { force: true })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (account.owner !== undefined) chownSync(passwordFile, account.owner, account.owner)

  const { command, args } = account.commandLine(
    binaries.initdb,
    `--pgdata=${unfinished}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  )
  const environment = { PATH: process.env['PATH'], ...binaries.environment }
  // Asynchronous, so that chains start meanwhile.
  await promisify(execFile)(command, args, { cwd: '/', env: environment }).catch(
    (cause: Error & { stderr?: string }) => {
      const reason = (cause.stderr || cause.message).trim()
      throw new Error(
        `The embedded PostgreSQL could not create its files in ${stateDirectory}: ${reason}. ` +
          'Set DATABASE_URL to use a PostgreSQL server of yours instead',
        { cause },
      )
    },
  )
  renameSync(unfinished, cluster)
  return { cluster, password }
}
