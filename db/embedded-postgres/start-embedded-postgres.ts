import {
  mkdirSync,
  realpathSync,
  writeFileSync,
  chownSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { chooseAccount, type Account } from './choose-account.ts'
import { clearOrphan } from './clear-orphan.ts'
import { locateBinaries, type PostgresBinaries } from './locate-binaries.ts'
import { serverAddress } from './server-address.ts'
import { runServer, ServerStartError, type Settings } from './run-server.ts'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { UnusableDatabaseError } from '../database-servers.ts'

/** A running server that belongs to this process. */
export interface EmbeddedPostgres {
  /** Contains the password: log it with `describeServer`. */
  url: string
  /** Stops the server after running commits; may be called more than once. */
  stop(): Promise<void>
}

/** Another program may take the free port, or sessions of a killed server linger for a moment. */
const PASSING_FAILURE = /could not bind|Address already in use|pre-existing shared memory block/
const ATTEMPTS = 10

/**
 * Starts the PostgreSQL that npm installed, for this machine alone. It listens on a free port of 127.0.0.1 and a socket
 * in its folder, with a random password. It ends with this process (after a kill at once on Linux, elsewhere at the
 * next start). Committed data survive a kill of either.
 * @throws Error with advice, when the platform has no binaries, the folder cannot be used, or another service uses it.
 */
export async function startEmbeddedPostgres(options: {
  /** The service's data folder; the server keeps its own in `postgres` below it. */
  dataDir: string
  logger: Logger
  /** PostgreSQL settings that override those of `run-server.ts`. */
  settings?: Settings
}): Promise<EmbeddedPostgres> {
  const { logger, settings = {} } = options
  try {
    mkdirSync(options.dataDir, { recursive: true })
  } catch (cause) {
    throw new UnusableDatabaseError(
      `The folder ${options.dataDir} cannot be made: ${(cause as Error).message}. Set another DATA_DIR`,
      { cause },
    )
  }
  const stateDirectory = join(realpathSync(options.dataDir), 'postgres')
  // Created separately from its parents, which may have another mode.
  mkdirSync(stateDirectory, { recursive: true, mode: 0o700 })
  const launcherFile = join(stateDirectory, 'launcher.pid')

  const binaries = locateBinaries(join(stateDirectory, 'lib'))
  await clearOrphan(join(stateDirectory, 'cluster'), launcherFile, logger)
  const account = chooseAccount(binaries.postgres, stateDirectory)
  const { cluster, password } = await createCluster(binaries, account, stateDirectory)
  writeFileSync(launcherFile, String(process.pid))

  for (let attempt = 1; ; attempt += 1) {
    try {
      const { port, child } = await runServer(binaries, account, cluster, settings, logger)
      let stopping: Promise<void> | undefined
      child.once('exit', (code, signal) => {
        if (!stopping) logger.error({ code, signal }, 'the embedded PostgreSQL ended by itself')
      })
      return {
        url: serverAddress(cluster, port, password),
        stop: () => (stopping ??= stopServer(child)),
      }
    } catch (error) {
      const passing = error instanceof ServerStartError && PASSING_FAILURE.test(error.log)
      if (!passing || attempt === ATTEMPTS) throw error
      await sleep(300)
    }
  }
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  // An immediate stop loses nothing either: the next start replays the log.
  const impatience = setTimeout(() => child.kill('SIGQUIT'), 10_000)
  await ended
  clearTimeout(impatience)
}

/**
 * Creates the database cluster in `stateDirectory` unless it exists, all of it or nothing, with a random password.
 * @returns The cluster's folder and the password of its user `postgres`.
 */
async function createCluster(
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
      throw new UnusableDatabaseError(
        `The embedded PostgreSQL could not create its files in ${stateDirectory}: ${reason}. ` +
          'Set DATABASE_URL to use a PostgreSQL server of yours instead',
        { cause },
      )
    },
  )
  renameSync(unfinished, cluster)
  return { cluster, password }
}
