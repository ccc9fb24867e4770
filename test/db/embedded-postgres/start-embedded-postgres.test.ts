import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startEmbeddedPostgres } from '../../../db/embedded-postgres/start-embedded-postgres.ts'

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'test-embedded-'))
  await chmod(folder, 0o711)
  return folder
}

/** Shared by tests that accept existing data, because creating a cluster takes longer than all of them. */
let dataDir: string
beforeAll(async () => {
  dataDir = await makeFolder()
})
afterAll(() => rm(dataDir, { recursive: true }))

async function makeOwnFolder(): Promise<string> {
  const folder = await makeFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

const start = (folder = dataDir) =>
  startEmbeddedPostgres({ dataDir: folder, logger: pino({ level: 'silent' }) })

async function ask(url: string, query: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(query)).rows
  } finally {
    await client.end()
  }
}

describe('the embedded server', () => {
  it('requires the password, listens on 127.0.0.1 only, and keeps its files private', async () => {
    const postgres = await start()
    try {
      const wrong = new URL(postgres.url)
      wrong.password = 'postgres'
      await expect(ask(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
      const methods = await ask(postgres.url, 'select distinct auth_method from pg_hba_file_rules')
      expect(methods).toEqual([{ auth_method: 'scram-sha-256' }])
      expect(await ask(postgres.url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
      const [{ port } = {}] = await ask(postgres.url, 'show port')
      const socket = await stat(join(dataDir, 'postgres/cluster', `.s.PGSQL.${String(port)}`))
      expect([socket.isSocket(), socket.mode & 0o777]).toEqual([true, 0o700])
      const overNetwork = new URL(postgres.url)
      overNetwork.host = `127.0.0.1:${String(port)}`
      const address = 'select inet_server_addr()::text as address'
      expect([await ask(postgres.url, address), await ask(overNetwork.href, address)]).toEqual([
        [{ address: null }],
        [{ address: '127.0.0.1/32' }],
      ])
      expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700)
      expect((await stat(join(dataDir, 'postgres/password'))).mode & 0o777).toBe(0o600)
    } finally {
      await postgres.stop()
    }
  })

  it('is reached by its port where its folder has too long a name for a socket', async () => {
    const folder = join(await makeOwnFolder(), 'x'.repeat(100))
    const postgres = await start(folder)
    expect(new URL(postgres.url).hostname).toBe('127.0.0.1')
    expect(await ask(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await postgres.stop()
  })

  it('logs failed statements without the rows and values in them', async () => {
    let log = ''
    const logger = pino({ level: 'trace' }, { write: (line: string) => void (log += line) })
    const postgres = await startEmbeddedPostgres({ dataDir, logger })
    try {
      await ask(postgres.url, 'create table held (address text primary key, amount int check (amount > 0))')
      await ask(postgres.url, "insert into held values ('hidden', 1)")
      for (const refused of [
        "insert into held values ('hidden', 1)",
        "insert into held values ('hidden2', -1)",
      ])
        await expect(ask(postgres.url, refused)).rejects.toThrow('constraint')
    } finally {
      await postgres.stop()
    }
    expect(log).toContain('held_amount_check')
    expect(log).not.toContain('hidden')
  })

  it('keeps data and password over a restart, and stops as often as it is asked to', async () => {
    const first = await start()
    await ask(first.url, 'create table kept (n int)')
    await Promise.all([first.stop(), first.stop()])
    await first.stop()
    const second = await start()
    expect(await ask(second.url, 'select * from kept')).toEqual([])
    expect(new URL(second.url).password).toBe(new URL(first.url).password)
    await second.stop()
  })

  it('sorts text by code point and folds case beyond ASCII', async () => {
    const postgres = await start()
    expect(await ask(postgres.url, `select upper('é') as upper, 'Z' < 'a' as ordered`)).toEqual([
      { upper: 'É', ordered: true },
    ])
    await postgres.stop()
  })

  it('refuses a folder that another running service uses', async () => {
    const postgres = await start()
    await expect(start()).rejects.toThrow(
      /Another service \(process \d+\) already uses .* set another DATA_DIR/,
    )
    expect(await ask(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await postgres.stop()
  })

  it('starts over when the first start was cut off while it made its files', async () => {
    const folder = await makeOwnFolder()
    const postgres = await start(folder)
    await postgres.stop()
    const state = join(folder, 'postgres')
    await rm(join(state, 'cluster'), { recursive: true })
    await writeFile(join(state, 'unfinished'), 'half a cluster')
    const again = await start(folder)
    expect(await readdir(state)).not.toContain('unfinished')
    await again.stop()
  })

  it.runIf(process.getuid?.() === 0)(
    'runs for root in a folder that only root may enter, or explains why it cannot',
    async () => {
      const folder = await makeOwnFolder()
      await chmod(folder, 0o700)
      const namespaces = spawnSync('unshare', ['--user', '--map-user=65534', 'true']).status === 0
      if (!namespaces) return expect(start(folder)).rejects.toThrow('Start the service as an ordinary user')
      const postgres = await start(folder)
      expect(await ask(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
      await postgres.stop()
      // The folder becomes accessible: the next start runs as the other user and takes over the files.
      await chmod(folder, 0o711)
      await (await start(folder)).stop()
    },
  )
})

describe('a lock file of a killed server', () => {
  it.each([
    ['a zombie, which nobody reaps', ['sh', '-c', 'true & echo $!; exec sleep 60']],
    ['an unrelated process by now', ['sh', '-c', 'echo $$; exec sleep 60']],
  ])('does not block the start when its process is %s', async (_, [command = '', ...args]) => {
    const lockFile = join(dataDir, 'postgres/cluster/postmaster.pid')
    const postgres = await start()
    const lock = await readFile(lockFile, 'utf8')
    const { uid, gid } = await stat(lockFile)
    await postgres.stop()

    // PostgreSQL ignores processes of other users.
    const holder = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'], uid, gid, cwd: '/' })
    const [pid] = await once(holder.stdout, 'data')
    await writeFile(lockFile, lock.replace(/^\d+/, String(pid).trim()))
    try {
      const again = await start()
      expect(await ask(again.url, 'select 1 as one')).toEqual([{ one: 1 }])
      expect(holder.exitCode).toBeNull()
      await again.stop()
    } finally {
      holder.kill('SIGKILL')
    }
  })
})
