import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildSchema } from 'graphql'
import { afterAll, expect, it } from 'vitest'
import { printBreakingChanges } from '../../schema/printed/list-breaking-changes.ts'

const folder = mkdtempSync(join(tmpdir(), 'lint-schema-'))
afterAll(() => rmSync(folder, { recursive: true }))

const printed = readFileSync('schema/printed/schema.graphql', 'utf8')

it('a field of the graph with a foreign name or without a description is reported', async () => {
  const file = join(folder, 'schema.graphql')
  writeFileSync(file, printed.replace(/^type Viewer \{/m, 'type Viewer {\n  Bad_Name: String\n'))
  const run = promisify(execFile)(process.execPath, ['.lint/lint-schema.ts', file])
  const { code, stderr } = (await run.catch((error: unknown) => error)) as { code: number; stderr: string }
  expect([code, stderr.match(/\((.*?)\)$/gm)]).toEqual([
    1,
    ['(@graphql-eslint/naming-convention)', '(@graphql-eslint/require-description)'],
  ])
})

it('a field that clients of the last release may ask for is not removed unseen', async () => {
  const without = buildSchema(printed.replace(/^ {2}totalUsdBalance: Decimal$/m, '  other: Decimal'))
  const before = await printBreakingChanges(buildSchema(printed))
  const now = await printBreakingChanges(without)
  expect(now.split('\n').filter((line) => !before.includes(line))).toEqual([
    expect.stringMatching(/^- Field `totalUsdBalance` was removed/),
  ])
})
