import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { chooseAccount, type Account } from '../../db/embedded-postgres/choose-account.ts'
import { findFreePort } from './find-free-port.ts'

const VERSIONS = '/usr/lib/postgresql'

/** Folder of the programs of the newest version that the distribution installed; undefined where it has none. */
function findBinaries(): string | undefined {
  if (!existsSync(VERSIONS)) return undefined
  const [newest] = readdirSync(VERSIONS).toSorted((one, other) => Number(other) - Number(one))
  const folder = join(VERSIONS, newest ?? '', 'bin')
  return existsSync(join(folder, 'postgres')) ? folder : undefined
}

const BINARIES = findBinaries() ?? ''

/**
 * Whether this machine has the distribution's PostgreSQL, and PgBouncer; says which test is skipped where not.
 * @throws Error in CI, where no test is skipped.
 */
export function hasDebianPostgres(test: string): boolean {
  if (BINARIES !== '' && spawnSync('pgbouncer', ['--version']).status === 0) return true
  if (process.env['CI']) throw new Error(`${test} needs postgresql and pgbouncer, which CI must install`)
  process.stdout.write(
    `skipped: ${test}: there is no PostgreSQL or PgBouncer (Debian: apt-get install postgresql pgbouncer)\n`,
  )
  return false
}

/** A program that listens on a port of this machine. */
export interface ServerProgram {
  port: number
  /** Ends it, and all that it started, immediately. */
  kill(): Promise<void>
  freeze(): void
  resume(): void
}

/** A folder in which programs run as another user than root, as PostgreSQL and PgBouncer demand. */
export async function makeServersFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'servers-'))
  await chmod(folder, 0o755)
  const state = join(folder, 'state')
  await mkdir(state, { mode: 0o700 })
  const account = chooseAccount(join(BINARIES, 'postgres'), state)
  const run = async (program: string, ...args: string[]) => {
    const { command, args: all } = account.commandLine(program, ...args)
    await promisify(execFile)(command, all, { cwd: '/' })
  }
  return {
    account,
    state,
    run,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

type ServersFolder = Awaited<ReturnType<typeof makeServersFolder>>

async function startProgram(account: Account, port: number, program: string, ...given: string[]) {
  const { command, args } = account.commandLine(program, ...given)
  const child = spawn(command, args, { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const ended = once(child, 'exit')
  const signal = (name: NodeJS.Signals) => signalGroup(child, name)
  return {
    log: () => log,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    server: {
      port,
      async kill() {
        if (child.exitCode !== null || child.signalCode !== null) return
        signal('SIGKILL')
        await ended
      },
      freeze: () => signal('SIGSTOP'),
      resume: () => signal('SIGCONT'),
    } satisfies ServerProgram,
  }
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined) process.kill(-child.pid, signal)
}

async function untilAnswers(started: Awaited<ReturnType<typeof startProgram>>, url: string): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    const isUp = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    if (isUp) return
    if (started.hasEnded()) throw new Error(`the server did not start: ${started.log()}`)
    await sleep(50)
  }
}

/** URL of a database of the superuser, who needs no password. */
export const urlOf = (port: number, database = 'postgres') =>
  `postgres://postgres@127.0.0.1:${port}/${database}`

const startCluster = async (
  { account, state }: ServersFolder,
  name: string,
  settings: Record<string, string>,
): Promise<ServerProgram> => {
  const port = await findFreePort()
  const all = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    // A kill of the program is survived without.
    fsync: 'off',
    max_connections: '60',
    ...settings,
  }
  const flags = Object.entries(all).flatMap(([setting, value]) => ['-c', `${setting}=${value}`])
  const started = await startProgram(
    account,
    port,
    join(BINARIES, 'postgres'),
    '-D',
    join(state, name),
    ...flags,
  )
  await untilAnswers(started, urlOf(port))
  return started.server
}

/** A primary whose commits wait for a standby, and that standby. */
export async function startReplicated(
  folder: ServersFolder,
): Promise<{ primary: ServerProgram; standby: ServerProgram }> {
  const { state, run } = folder
  const binary = (name: string) => join(BINARIES, name)
  await run(
    binary('initdb'),
    '-D',
    join(state, 'one'),
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '-N',
  )
  const primary = await startCluster(folder, 'one', { synchronous_standby_names: '*' })
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres']
  await run(
    binary('pg_basebackup'),
    '-D',
    join(state, 'two'),
    ...from,
    '-R',
    '-X',
    'stream',
    '-c',
    'fast',
    '-N',
  )
  const standby = await startCluster(folder, 'two', {})
  return { primary, standby }
}

/** Starts PgBouncer before a database, so that each transaction gets one of a few sessions of the server. */
export async function startPgBouncer(
  { account, state }: ServersFolder,
  target: URL,
  sessions: number,
): Promise<ServerProgram & { url: string }> {
  const port = await findFreePort()
  const database = target.pathname.slice(1)
  const file = join(state, 'pgbouncer.ini')
  const settings = [
    '[databases]',
    `${database} = host=127.0.0.1 port=${target.port || 5432} dbname=${database} user=${target.username} password=${target.password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${sessions}`,
    'max_client_conn = 200',
  ]
  await writeFile(file, settings.join('\n'), { mode: 0o644 })
  await giveFiles(account, state)
  const started = await startProgram(account, port, 'pgbouncer', file)
  const url = `postgres://${target.username}@127.0.0.1:${port}/${database}`
  await untilAnswers(started, url)
  return { ...started.server, url }
}

/** Lets the account read the files in its folder. */
async function giveFiles(account: Account, state: string): Promise<void> {
  if (account.owner !== undefined) await promisify(execFile)('chown', ['-R', String(account.owner), state])
}
