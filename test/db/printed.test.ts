import { expect, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '../harness/open-test-database.ts'
import { printSchema } from './print-schema.ts'

test('db/printed/schema.sql is the schema of a migrated database', async () => {
  const database = await openTestDatabase()
  onTestFinished(database.drop)
  await expect(await printSchema(database.pool)).toMatchFileSnapshot('../../db/printed/schema.sql')
})
