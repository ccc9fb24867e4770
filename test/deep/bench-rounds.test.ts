import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { runCli } from '../harness/run-cli.ts'

const spread = z.object({ median: z.number().positive(), min: z.number(), max: z.number() })
const results = z.object({
  rows: z.array(
    z.looseObject({
      name: z.string(),
      operations: z.number().positive(),
      rounds: z.literal(2),
      cpuMs: spread,
      wallMs: spread,
      ratioToBaseline: z.number().positive().nullable(),
    }),
  ),
})

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bench-rounds-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the benchmark reports median and spread of two rounds, each on its own service', async () => {
  const modes = ['full', 'flood', 'badproof'].flatMap((mode) => ['--mode', mode])
  const small = ['--rounds', '2', '--round-ms', '1', '--notes', '16', ...modes, '--out', folder]
  const run = await runCli('bench/main.ts', ['sign', 'relayer', ...small, '--json'], {})
  expect(run.stderr).toContain('relayer: starting the service for round 2 of 2')
  expect(run.code, run.stderr).toBe(0)
  const { rows } = results.parse(JSON.parse(run.stdout.trimEnd().split('\n').at(-1) ?? ''))
  const baselines = rows.filter(({ ratioToBaseline }) => ratioToBaseline === null).map(({ name }) => name)
  // Bad proofs are compared with requests, which this run does not measure.
  expect(baselines).toEqual([
    'sign.viem',
    'sign.viemRecover',
    'sign.nobleQuote',
    'relayer.plain',
    'relayer.calm',
    'relayer.badproofLone',
    'relayer.badproof',
  ])
  for (const { cpuMs } of rows) expect(cpuMs.min <= cpuMs.median && cpuMs.median <= cpuMs.max).toBe(true)
  expect(rows.some(({ cpuMs }) => cpuMs.min < cpuMs.max)).toBe(true)
  expect(rows.find(({ name }) => name === 'relayer.full')?.['relays']).toMatchObject({
    notes: 8,
    accepted: 8,
    confirmed: 8,
    reverted: 0,
  })
  const html = /^\s*(?:written:\s*)?(\/\S+\.html)$/m.exec(run.stdout)?.[1] ?? ''
  const page = await readFile(html, 'utf8')
  for (const text of ['relayer.flooded', 'sign.recover', 'polls every 4 s']) expect(page).toContain(text)
})
