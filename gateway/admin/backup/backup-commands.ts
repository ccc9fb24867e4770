import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { dumpRows } from '../../../db/backup/dump-rows.ts'
import { DumpError, loadDump, type LoadedDump } from '../../../db/backup/load-dump.ts'
import { describeServer, openSession } from '../../../db/database-servers.ts'
import { startEmbeddedPostgres } from '../../../db/embedded-postgres/start-embedded-postgres.ts'
import { migrateDatabase } from '../../../db/migrate.ts'
import { createLogger } from '../../logging.ts'
import type { ChartEntry } from '../doctor/open-chart.ts'
import { AdminError, type GivenOptions, type SettingsCommand } from '../command.ts'
import { locateServer } from '../open-database.ts'

/** Copies of the database, encrypted for a key that is kept elsewhere. The longer names come first. */
export const backupCommands: readonly SettingsCommand[] = [
  {
    name: 'backup key',
    usage: '',
    help: 'make a key pair for backups: keep the identity away from the service',
    words: { least: 0, most: 0 },
    options: {},
    usesDatabase: false,
    async run({ print }) {
      const { createBackupKey } = await import('./sealed-file.ts')
      const { identity, recipient } = await createBackupKey()
      print(`# recipient: ${recipient}`)
      print(identity)
    },
  },
  {
    name: 'backup check',
    usage: '<file> --identity <file> [--scratch <postgres://…>]',
    help: 'restore a backup into a database that is thrown away, or into an empty one, open its secrets, and compare its books with the chains',
    words: { least: 1, most: 1 },
    options: { identity: { type: 'string' }, scratch: { type: 'string' } },
    usesDatabase: false,
    async run({ config, print }, [file = ''], options) {
      const { compareBooks } = await import('./compare-books.ts')
      const { checkKeys } = await import('./check-keys.ts')
      const scratch = await openScratch(options['scratch'])
      try {
        describeLoaded(await restore(file, scratch.url, options), print)
        if (options['scratch'])
          print(`${describeServer(scratch.url)} has its rows now: drop it, since a check needs an empty one`)
        const keys = await checkKeys(scratch.url, config)
        const client = await openSession(scratch.url)
        try {
          const books = await compareBooks(client, config)
          for (const { level, about, found } of [...keys, ...books]) print(`${level}: ${about} ${found}`)
          const count = (entries: readonly ChartEntry[]) =>
            entries.filter(({ level }) => level === 'error').length
          if (count(keys) > 0)
            throw new AdminError('The master keys at hand do not open the secrets of this backup')
          if (count(books) > 0)
            throw new AdminError(`The books and the chains differ in ${count(books)} points`)
        } finally {
          await client.end()
        }
      } finally {
        await scratch.stop()
      }
    },
  },
  {
    name: 'backup restore',
    usage: '<file> --identity <file>',
    help: 'load a backup into the empty database of DATABASE_URL; start one instance afterwards and read its log',
    words: { least: 1, most: 1 },
    options: { identity: { type: 'string' } },
    usesDatabase: false,
    async run({ config, print }, [file = ''], options) {
      if (!config.storage.databaseUrl)
        throw new AdminError('DATABASE_URL is missing: set it to an empty database')
      const { url } = await locateServer(config.storage, createLogger({ level: 'silent' }))
      describeLoaded(await restore(file, url, options), print)
      print(`${describeServer(url)} has them now`)
    },
  },
  {
    name: 'backup',
    usage: '<file> --recipient <age1…>',
    help: 'write all rows of one moment into a file, encrypted by age; the service may run',
    words: { least: 1, most: 1 },
    options: { recipient: { type: 'string' } },
    usesDatabase: false,
    async run({ config, print }, [file = ''], { recipient }) {
      if (!recipient) throw new AdminError('--recipient <age1…> is missing: `backup key` makes one')
      const { writeSealedFile } = await import('./sealed-file.ts')
      const server = await locateServer(config.storage, createLogger({ level: 'silent' }))
      try {
        const client = await openSession(server.url)
        try {
          await writeSealedFile(resolve(file), recipient, dumpRows(client))
        } finally {
          await client.end()
        }
      } finally {
        await server.stop()
      }
      print(
        `${file} is written. Check it by \`backup check\` where the identity is; it is worth nothing without the master keys`,
      )
    },
  },
]

async function openScratch(url: string | undefined): Promise<{ url: string; stop(): Promise<void> }> {
  if (url !== undefined) return { url, stop: async () => {} }
  const dataDir = await mkdtemp(join(tmpdir(), 'backup-check-'))
  const remove = () => rm(dataDir, { recursive: true, force: true })
  try {
    const server = await startEmbeddedPostgres({ dataDir, logger: createLogger({ level: 'silent' }) })
    return {
      url: server.url,
      async stop() {
        await server.stop()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw new AdminError(
      `${(error as Error).message}.\nThe check needs an empty database: name one by --scratch postgres://…`,
      { cause: error },
    )
  }
}

async function restore(file: string, url: string, { identity }: GivenOptions): Promise<LoadedDump> {
  if (!identity) throw new AdminError('--identity <file> is missing: it has the key that decrypts')
  const { openSealedFile } = await import('./sealed-file.ts')
  const read = await openSealedFile(file, identity)
  await migrateDatabase(url)
  const client = await openSession(url)
  let loaded: LoadedDump | null = null
  try {
    await read(async (content) => void (loaded = await loadDump(client, content)))
  } catch (error) {
    if (error instanceof DumpError)
      throw new AdminError(`${file} was not loaded into ${describeServer(url)}: ${error.message}`, {
        cause: error,
      })
    throw new AdminError(`${file} cannot be read: ${(error as Error).message}`, { cause: error })
  } finally {
    await client.end()
  }
  if (!loaded) throw new AdminError(`${file} has nothing in it`)
  return loaded
}

function describeLoaded({ madeAt, rows }: LoadedDump, print: (line: string) => void): void {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0)
  print(
    `The backup of ${madeAt.toISOString()} has ${all} rows of ${Object.keys(rows).length} tables, with ${rows['account'] ?? 0} accounts`,
  )
}
