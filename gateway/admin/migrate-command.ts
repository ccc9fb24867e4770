import { listPendingMigrations, migrateDatabase, type PendingMigrations } from '../../db/migrate.ts'
import { createLogger } from '../logging.ts'
import { type SettingsCommand, readYes } from './command.ts'
import { locateServer } from './open-database.ts'

const UP_TO_DATE = 'The database has the schema of this version'

/** Migrates before the first instance of a version starts, for instance as a job of a cluster. */
export const migrateCommand: SettingsCommand = {
  name: 'migrate',
  usage: '[--dry-run yes]',
  help: 'migrate the database as a start would; it prints first which tables are locked, and for how many rows',
  words: { least: 0, most: 0 },
  options: { 'dry-run': { type: 'string', default: 'no' } },
  usesDatabase: false,
  async run({ config, print }, _, options) {
    const isDry = readYes('dry-run', options)
    const server = await locateServer(config.storage, createLogger({ level: 'silent' }))
    const describe = (pending: PendingMigrations) => {
      for (const line of describePending(pending)) print(line)
    }
    try {
      if (isDry) {
        const pending = await listPendingMigrations(server.url)
        return pending.files.length === 0 ? print(UP_TO_DATE) : describe(pending)
      }
      const names = await migrateDatabase(server.url, undefined, describe)
      print(names.length === 0 ? UP_TO_DATE : 'Done')
    } finally {
      await server.stop()
    }
  },
}

function* describePending({ files, locks }: PendingMigrations): Generator<string> {
  yield `${files.length} files to run, in one transaction`
  for (const { file, table, blocks, isLong, rows, bytes } of locks) {
    const work = isLong
      ? `while it goes through about ${rows} rows, ${Math.ceil(bytes / 1_000_000)} MB`
      : 'for a moment'
    yield `${file} blocks ${blocks} of ${table} ${work}, and then until the others have run`
  }
}
