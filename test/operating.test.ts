import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { relayerConfig } from '../relayer/chain/nodes/relayer-config.ts'
import { serviceConfig } from '../gateway/config/config.ts'
import { ENVIRONMENT } from '../gateway/config/environment.ts'
import { loadConfig } from '../gateway/config/load-config.ts'
import { registerIndexerFigures } from '../gateway/observation/indexer-figures.ts'
import { createMetrics } from '../gateway/observation/metrics.ts'
import { registerOrderFigures } from '../gateway/observation/order-figures.ts'
import { registerUsageFigures } from '../gateway/observation/usage-figures.ts'
import { registerVenueFigures } from '../gateway/observation/venue-figures.ts'
import { limitsOf, mostLost } from '../relayer/chain/unpaid-gas/budget-rules.ts'

const root = new URL('../', import.meta.url)
const manual = readFileSync(new URL('OPERATING.md', root), 'utf8')

/** One setting of the configuration's schema. */
interface Setting {
  path: string
  isRequired: boolean
  /** Undefined where there is none. */
  fallback: unknown
}

interface Node {
  properties?: Record<string, Node>
  required?: string[]
  items?: Node
  anyOf?: Node[]
  oneOf?: Node[]
  additionalProperties?: Node | boolean
  default?: unknown
}

const alternativesOf = (node: Node) => node.anyOf ?? node.oneOf ?? []
const hasMembers = (node: Node): boolean => Boolean(node.properties) || alternativesOf(node).some(hasMembers)

/** The settings at and below a node, without those of them that are mere containers. */
function listSettings(node: Node, path: string, isRequired = false): Setting[] {
  const { properties, required = [], items, additionalProperties: values } = node
  if (properties)
    return Object.entries(properties).flatMap(([name, member]) =>
      listSettings(member, path ? `${path}.${name}` : name, required.includes(name)),
    )
  if (items && hasMembers(items)) return listSettings(items, `${path}[]`)
  if (typeof values === 'object' && hasMembers(values)) return listSettings(values, `${path}.*`)
  const alternatives = alternativesOf(node).filter(hasMembers)
  const own = { path, isRequired, fallback: node.default }
  const isAlsoPlain = alternatives.length < alternativesOf(node).length || alternatives.length === 0
  return [...(isAlsoPlain ? [own] : []), ...alternatives.flatMap((one) => listSettings(one, path))]
}

function readSchema(): Map<string, Setting> {
  const schema = z.toJSONSchema(serviceConfig, { io: 'input', unrepresentable: 'any' }) as Node
  const settings = new Map<string, Setting>()
  for (const setting of listSettings(schema, ''))
    if (!settings.has(setting.path)) settings.set(setting.path, setting)
  return settings
}

/** The rows of the tables below a heading of the second level, each with the code in its heading of the third. */
function readRows(section: string): { prefix: string; cells: string[] }[] {
  const [, body = ''] = manual.split(`\n## ${section}\n`)
  let prefix = ''
  return (body.split(/\n## /)[0] ?? '').split('\n').flatMap((line) => {
    if (line.startsWith('### ')) prefix = /`(.*)`/.exec(line)?.[1] ?? ''
    const [, ...cells] = /^\| (?:`|error|warn)/.test(line) ? line.split('|') : []
    return cells.length > 0 ? [{ prefix, cells: cells.map((cell) => cell.trim()) }] : []
  })
}

const plain = (cell = '') => cell.replaceAll('`', '')
const write = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Defaults that differ by machine, are too long for a table, or that a JSON schema cannot express. */
const NOT_COMPARED = new Set([
  'proving.threads',
  'accounts.dismissablePrompts',
  'names.reserved',
  'screening.addresses',
  'transact.feeReceivers',
  'chains[].startBlock',
  'devnet.aspDecline',
])

test('OPERATING.md describes every setting of the configuration, and no other', () => {
  const described = readRows('Every setting').map(({ prefix, cells }) =>
    prefix ? `${prefix}.${plain(cells[0])}` : plain(cells[0]),
  )
  expect(described.toSorted()).toEqual([...readSchema().keys()].toSorted())
})

test('OPERATING.md gives the default of every setting', () => {
  const settings = readSchema()
  const wrong = readRows('Every setting').flatMap(({ prefix, cells: [name, shown = ''] }) => {
    const path = prefix ? `${prefix}.${plain(name)}` : plain(name)
    const setting = settings.get(path)
    if (!setting || NOT_COMPARED.has(path)) return []
    const { isRequired, fallback } = setting
    const expected = isRequired ? 'required' : fallback === undefined ? '–' : `\`${write(fallback)}\``
    return shown === expected ? [] : [`${path}: ${shown} should be ${expected}`]
  })
  expect(wrong).toEqual([])
})

test('OPERATING.md describes every environment variable, and the setting that it sets', () => {
  const described = readRows('Environment').map(({ cells: [name, path] }) => `${plain(name)}: ${plain(path)}`)
  const known = Object.entries(ENVIRONMENT).map(([name, { path }]) => `${name}: ${path.join('.')}`)
  expect(described.toSorted()).toEqual(['CONFIG: ', ...known].toSorted())
})

test('OPERATING.md describes every metric of the service with its labels', async () => {
  const registry = new Registry()
  const unread = () => Promise.reject(new Error('the test reads no figure'))
  createMetrics(registry, unread, { inFlight: () => 0, unwritten: { total: () => 0, ended: () => 0 } }, 0)
  registerIndexerFigures(registry, unread)
  registerUsageFigures(registry, unread)
  registerOrderFigures(registry, unread)
  registerVenueFigures(registry)()
  const known = registry.getMetricsAsArray().map((metric) => {
    const { name, labelNames } = metric as unknown as { name: string; labelNames: string[] }
    return `${name}: ${labelNames.join(', ')}`
  })
  const described = readRows('Metrics').map(({ cells: [name, labels] }) => `${plain(name)}: ${labels}`)
  expect(described.toSorted()).toEqual(known.toSorted())
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

test('OPERATING.md says what to do about every message that is logged as an error', async () => {
  const described = readRows('Alarms').map(({ cells: [, message] }) => plain(message))
  expect(described.length).toBeGreaterThan(0)
  expect([...(await findLogged('error'))].filter((message) => !described.includes(message))).toEqual([])
})

test('every alarm of OPERATING.md is logged at the level that it names', async () => {
  const logged = { error: await findLogged('error'), warn: await findLogged('warn') }
  const seals = readFileSync(new URL('relayer/identity/mac-failures.ts', root), 'utf8')
  const stale = readRows('Alarms').filter(({ cells: [level, shown] }) => {
    const message = plain(shown)
    return level === 'error'
      ? !logged.error.has(message)
      : !logged.warn.has(message) && !seals.includes(message)
  })
  expect(stale.map(({ cells: [, shown] }) => shown)).toEqual([])
})

test('the configurations of OPERATING.md load', () => {
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
    const examples = [...manual.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => text ?? '')
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
