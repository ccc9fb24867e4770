import { expect, test } from 'vitest'
import { lintPlanted } from './lint-planted.ts'

test('a name that two files of the rooms export fails in both, in whatever form it is exported', async () => {
  const forms = [
    ['function one() {}', '/** Runs. */\nexport function one() {}'],
    ['export const two = 1', 'const two = 1\nexport { two }'],
    ['export class Three {}', 'export interface Three {}'],
    ['export type Four = 1', 'type Inner = 1\nexport type { Inner as Four }'],
    ['export const five = 1', "export { five } from './a-4.ts'"],
    ['export async function six() {}', 'export enum six {}'],
  ].map(
    ([one = '', other = ''], index) => [one.replace(/^function/, 'export function'), other, index] as const,
  )
  const planted = forms.flatMap(([one, other, index]) => [
    [`relayer/concurrency/a-${index}.ts`, `${one}\n`] as const,
    [`gateway/http/b-${index}.ts`, `${other}\n`] as const,
  ])
  const findings = await lintPlanted('unique-exports', Object.fromEntries(planted))
  expect(findings.map(({ file }) => file).toSorted()).toEqual(planted.map(([file]) => file).toSorted())
  expect(findings[0]?.message).toMatch(/ exports \w+ as well/)
})

test('`export *` fails, which would give every name of a file a second home', async () => {
  const findings = await lintPlanted('unique-exports', { 'db/planted.ts': "export * from './other.ts'\n" })
  expect(findings).toHaveLength(1)
})

test('overloads, local names, default exports and names outside of the rooms may be equal', async () => {
  const findings = await lintPlanted('unique-exports', {
    'db/a.ts':
      'export function run(a: 1): 1\nexport function run(a: 2): 2\nexport function run(a: number) {\n  return a\n}\n',
    'db/b.ts': 'const run = 1\nexport const ran = run\nexport default run\n',
    'db/c.ts': "import { run } from './a.ts'\nexport default run\n",
    'test/db/d.ts': 'export const run = 1\n',
  })
  expect(findings).toEqual([])
})
