import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { findBrowser, openBrowser } from '../harness/open-browser.ts'
import { runCli } from '../harness/run-cli.ts'

const spread = z.object({ median: z.number().positive(), min: z.number(), max: z.number() })
const results = z.object({
  machine: z.object({
    cpu: z.string(),
    cores: z.number(),
    memoryMb: z.number(),
    node: z.string(),
    os: z.string(),
    loadBefore: z.number(),
  }),
  rows: z.array(
    z.looseObject({
      name: z.string(),
      operations: z.number().positive(),
      rounds: z.literal(1),
      cpuMs: spread,
      wallMs: spread,
      ratioToBaseline: z.number().positive().nullable(),
    }),
  ),
})

const BASELINES = new Set(['sign.viem', 'sign.viemRecover', 'sign.nobleQuote'])

let folder: string
let stdout: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bench-test-'))
  // The relayer's benchmark starts services: test/deep/bench-rounds.test.ts.
  const small = ['--rounds', '1', '--round-ms', '1', '--out', folder]
  const run = await runCli('bench/main.ts', ['sign', ...small, '--json'], {})
  expect(run.code, run.stderr).toBe(0)
  stdout = run.stdout
}, 300_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

const files = () =>
  [...stdout.matchAll(/^\s*(?:written:\s*)?(\/\S+\.(?:json|html))$/gm)].map(([, path]) => path ?? '')

describe('a benchmark with small settings', () => {
  test('ends its output with one line of JSON in the promised shape', () => {
    const { rows } = results.parse(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? ''))
    const names = rows.map(({ name }) => name)
    expect(names).toEqual([
      'sign.viem',
      'sign.commitment',
      'sign.findOwnSigner',
      'sign.pool',
      'sign.viemRecover',
      'sign.recover',
      'sign.nobleQuote',
      'sign.quote',
    ])
    expect(rows.map(({ ratioToBaseline }) => ratioToBaseline === null)).toEqual(
      names.map((name) => BASELINES.has(name)),
    )
    for (const { cpuMs } of rows) expect(cpuMs.min <= cpuMs.median && cpuMs.median <= cpuMs.max).toBe(true)
  })

  test('prints the same results as a table and writes them to a file', async () => {
    const [json = ''] = files()
    const stored = results.parse(JSON.parse(await readFile(json, 'utf8')))
    for (const { name } of stored.rows) expect(stdout).toContain(name)
  })

  test('writes a report that loads nothing from elsewhere', async () => {
    const [, html = ''] = files()
    const page = await readFile(html, 'utf8')
    expect(page).not.toMatch(/(?:src|href)\s*=|@import|url\(\s*["']?(?:https?:)?\/\//i)
    expect(page).toContain("default-src 'none'")
    expect(page).toContain('sign.recover')
    const executable = findBrowser('the report of the benchmark draws its plots')
    if (!executable) return
    const browser = await openBrowser(executable)
    try {
      const tab = await browser.newPage()
      const asked: string[] = []
      const failures: string[] = []
      tab.on('request', (request) => asked.push(request.url()))
      tab.on('pageerror', (error) => failures.push(error.message))
      await tab.goto(pathToFileURL(html).href)
      expect(await tab.locator('canvas').count()).toBeGreaterThan(0)
      expect(failures).toEqual([])
      expect(asked).toEqual([pathToFileURL(html).href])
    } finally {
      await browser.close()
    }
  })
})

describe('the command line', () => {
  test('prints its options with --help', async () => {
    const { code, stdout: help } = await runCli('bench/main.ts', ['--help'], {})
    expect(code).toBe(0)
    for (const option of ['--url', '--devnet', '--notes', '--concurrency', '--mode', '--json'])
      expect(help).toContain(option)
  })

  test.each([
    [['cooking'], 'not one of verify'],
    [['relayer', '--mode', 'fast'], 'not one of quote'],
    [['--rounds', '0'], 'not a positive number'],
    [['--url', 'http://127.0.0.1:1'], 'needs --devnet'],
    [['--nonsense'], '--nonsense'],
  ])('refuses %j and says why', async (args, words) => {
    const { code, stderr } = await runCli('bench/main.ts', args, {})
    expect(code).toBe(1)
    expect(stderr).toContain(words)
    expect(stderr).not.toContain('    at ')
  })
})
