import { expect, it } from 'vitest'
import { parseCommand } from '../../../gateway/admin/run-command.ts'
import { loadConfig } from '../../../gateway/config/load-config.ts'
import { openEmptyDatabase } from '../../harness/open-test-database.ts'

it('a database is migrated once, and a dry run changes nothing', async () => {
  const database = await openEmptyDatabase()
  async function migrate(...words: string[]): Promise<string> {
    const lines: string[] = []
    const command = parseCommand(['migrate', ...words])
    if (command.usesDatabase) throw new Error('migrate opens the database by itself')
    const env = { DATABASE_URL: database.url }
    await command.run({ config: loadConfig(env), env, print: (line) => void lines.push(line) })
    return lines.join('\n')
  }
  try {
    const files = /^\d+ files to run, in one transaction$/
    expect(await migrate('--dry-run', 'yes')).toMatch(files)
    expect(await migrate('--dry-run', 'yes')).toMatch(files)
    expect(await migrate()).toMatch(/^\d+ files to run, in one transaction\nDone$/)
    expect(await migrate()).toBe('The database has the schema of this version')
    expect(await migrate('--dry-run', 'yes')).toBe('The database has the schema of this version')
  } finally {
    await database.drop()
  }
})
