import { expect, test } from 'vitest'
import { lintPlanted } from './lint-planted.ts'

/** Which of the snippets the rule reports, each linted as a file of its own. */
async function reported(snippets: readonly string[]): Promise<string[]> {
  const files = snippets.map(
    (code, index) => [`relayer/concurrency/planted-${index}.ts`, `${code}\n`] as const,
  )
  const findings = await lintPlanted('documented-exports', Object.fromEntries(files))
  const found = new Set(findings.map(({ file }) => file))
  return files.flatMap(([file], index) => (found.has(file) ? [snippets[index] ?? ''] : []))
}

test('an export without a docstring directly above it fails', async () => {
  const snippets = [
    'export function run() {}',
    'export const run = () => {}',
    'export class Runner {}',
    'export interface Runner {}',
    'export type Runner = string',
    'export default function run() {}',
    'const run = () => {}\nexport { run }',
    '// A line comment is no docstring.\nexport const run = 1',
    '/* A plain block is no docstring. */\nexport const run = 1',
    '/** Words of another statement. */\nconst other = 1\n\nexport const run = other',
    '/** Words that stand apart. */\n\nexport const run = 1',
    '/** Runs. */\nexport const run = 1',
  ]
  expect(await reported(snippets)).toEqual(snippets)
})

test('a documented export, a re-export and an internal declaration pass', async () => {
  const snippets = [
    '/** Runs the work that waits. */\nexport function run() {}',
    '/**\n * Runs the work that waits.\n */\nexport const run = () => {}',
    '/** Runs the work that waits. */\nconst run = () => {}\nexport { run }',
    '/** Takes one or two. */\nexport function run(a: 1): 1\nexport function run(a: 2): 2\nexport function run(a: number) {\n  return a\n}',
    "export { run } from './run.ts'",
    'function run() {}\nrun()',
  ]
  expect(await reported(snippets)).toEqual([])
})
