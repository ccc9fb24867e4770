import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { relayerConfig } from '../relayer/chain/nodes/relayer-config.ts'
import { STANDING_ALARMS } from '../gateway/alarms.ts'
import { LOG_ALARMS, type LogAlarm } from '../gateway/log-alarms.ts'
import { listSettings, pathOf } from '../gateway/config/list-settings.ts'
import { loadConfig } from '../gateway/config/load-config.ts'
import { limitsOf, mostLost } from '../relayer/chain/unpaid-gas/budget-rules.ts'

const root = new URL('../', import.meta.url)
const manual = readFileSync(new URL('OPERATING.md', root), 'utf8')

const features = readFileSync(new URL('gateway/config/FEATURES.md', root), 'utf8')
const alarms = readFileSync(new URL('gateway/observation/ALARMS.md', root), 'utf8')

/** The log entries of the list of alarms. */
const readAlarms = (): { code: string; level: string; message: string }[] =>
  Object.values(LOG_ALARMS).flatMap((topic) =>
    Object.entries<LogAlarm>(topic).map(([code, [level, message]]) => ({ code, level, message })),
  )

test('every setting that the documents for operators name exists', () => {
  const { settings } = listSettings()
  const paths = settings.map(pathOf)
  const tops = new Set(paths.filter((path) => path.includes('.')).map((path) => path.split(/[.[]/)[0]))
  const known = (name: string) =>
    paths.some((path) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`))
  const named = [
    ...[manual, features, alarms].join('\n').matchAll(/`([a-zA-Z]+(?:\[\])?(?:\.[a-zA-Z]+(?:\[\])?)+)`/g),
  ]
    .map(([, name = '']) => name)
    .filter((name) => tops.has(name.split(/[.[]/)[0]))
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((name) => !known(name))).toEqual([])
})

test('OPERATING.md has at most 500 lines', () => {
  expect(manual.split('\n').length).toBeLessThanOrEqual(501)
})

test.each([
  'gateway/config/SETTINGS.md',
  'gateway/config/FEATURES.md',
  'gateway/observation/METRICS.md',
  'gateway/observation/ALARMS.md',
])('every file and heading that %s points to exists', (file) => {
  const here = new URL(file, root)
  const targets = [...readFileSync(here, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !target.startsWith('https:'))
  const broken = targets.filter((target) => {
    const [path = '', heading] = target.split('#')
    const text = readFileSync(new URL(path, here), 'utf8')
    const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    )
    return heading !== undefined && !headings.includes(heading)
  })
  expect(targets.length).toBeGreaterThan(0)
  expect(broken).toEqual([])
})

/** The literal messages that the service's own code logs at a level. */
async function findLogged(level: 'error' | 'warn'): Promise<Set<string>> {
  const messages = new Set<string>()
  const call = new RegExp(
    String.raw`\b(?:logger|log)\??\.${level}\(\s*(?:\{[^{}]*\}|\w+),\s*('(?:[^'\\]|\\.)*'|"[^"]*")`,
    'g',
  )
  for (const room of ['gateway', 'relayer', 'proving', 'db'])
    for (const entry of await readdir(new URL(room, root), { recursive: true })) {
      if (!entry.endsWith('.ts')) continue
      const source = readFileSync(new URL(`${room}/${entry}`, root), 'utf8')
      for (const [, literal = ''] of source.matchAll(call))
        messages.add(literal.slice(1, -1).replaceAll("\\'", "'"))
    }
  return messages
}

test('the list of alarms gives instructions for every message that is logged as an error', async () => {
  const described = new Set(readAlarms().map(({ message }) => message))
  expect(described.size).toBeGreaterThan(0)
  expect([...(await findLogged('error'))].filter((message) => !described.has(message))).toEqual([])
})

test('every alarm of the list is logged at the level that it names', async () => {
  const logged = { error: await findLogged('error'), warn: await findLogged('warn') }
  const seals = readFileSync(new URL('relayer/identity/mac-failures.ts', root), 'utf8')
  const stale = readAlarms().filter(({ level, message }) =>
    level === 'error' ? !logged.error.has(message) : !logged.warn.has(message) && !seals.includes(message),
  )
  expect(stale.map(({ message }) => message)).toEqual([])
})

test('every alarm has a code of its own, and every standing alarm an entry in the runbook', () => {
  const codes = [...Object.keys(STANDING_ALARMS), ...readAlarms().map(({ code }) => code)]
  expect(new Set(codes).size).toBe(codes.length)
  const [, runbook = ''] = manual.split('<!-- runbook -->')
  const entries = [...runbook.matchAll(/^\| `([A-Z0-9_]+)` \| .+ \| .+ \| .+ \|$/gm)].map(([, code]) => code)
  expect(entries).toEqual(Object.keys(STANDING_ALARMS))
})

/** The tests that inject the faults. */
const FAULTS = [
  'test/e2e/faults.test.ts',
  'test/relayer/chain/nodes/find-chain-alarms.test.ts',
  'test/gateway/compose/find-proof-alarms.test.ts',
]

test('every standing alarm is raised by a test that injects its fault', () => {
  const tests = FAULTS.map((file) => readFileSync(new URL(file, root), 'utf8')).join('\n')
  const untested = Object.keys(STANDING_ALARMS).filter((code) => !tests.includes(`'${code}'`))
  expect(untested).toEqual([])
})

test('the configurations in the documents for operators load', () => {
  const folder = mkdtempSync(join(tmpdir(), 'operating-'))
  const key = `0x${'11'.repeat(32)}`
  const env = {
    MASTER_KEY: key,
    SIGNER_KEY_1: key,
    SIGNER_KEY_2: `0x${'22'.repeat(32)}`,
    RELAY_SIGNER_KEY_1: `0x${'33'.repeat(32)}`,
    RELAY_SIGNER_KEY_2: `0x${'44'.repeat(32)}`,
    FEE_RECEIVER_KEY: key,
  }
  try {
    const examples = [...`${manual}\n${features}`.matchAll(/```json\n([\s\S]*?)```/g)].map(
      ([, text]) => text ?? '',
    )
    const whole = examples.filter((text) => /"(?:chains|prices)"/.test(text))
    expect(whole).toHaveLength(2)
    const [complete] = whole.map((text, place) => {
      const file = join(folder, `${place}.json`)
      writeFileSync(file, text)
      return loadConfig({ CONFIG: file, COINGECKO_KEY: 'an API key', ...env })
    })
    expect(complete?.chains[0]?.relayer?.signerKeys).toEqual([env.SIGNER_KEY_1, env.SIGNER_KEY_2])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the gas budgets of OPERATING.md are those of the code', () => {
  const budget = relayerConfig.shape.unpaidGasPerHour.parse(undefined)
  const { shares, account, contract } = limitsOf(BigInt(budget))
  const most = shares.map((share) => share.most)
  const [foreign, plain] = [most.slice(0, 4), most.slice(4)]
  const rows = [
    [foreign[0], plain[0]],
    [foreign[1], plain[1]],
    [foreign[2], plain[2]],
    [account.foreign, account.plain],
    [contract, undefined],
    [foreign[3], plain[3]],
  ]
  const [, section = ''] = manual.split('\n## What it can cost\n')
  const told = [
    ...section.matchAll(
      /^\| (?:relays|sends|all sends|one account|one contract|everything).* \| ([\d,]+) \| ([\d,]+|-) \|$/gm,
    ),
  ]
  const read = (gas = '') => (gas === '-' ? undefined : BigInt(gas.replaceAll(',', '')))
  expect(told.map(([, ofStrangers, others]) => [read(ofStrangers), read(others)])).toEqual(rows)
  const atMost = /can cost at most ([\d,]+) gas in any hour/.exec(section)?.[1]
  expect(read(atMost)).toBe(mostLost(BigInt(budget)))
})
