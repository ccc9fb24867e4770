import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { toFunctionSelector, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { signaturesConfig } from '../../../../relayer/inspect/function-signatures/config.ts'
import { createFunctionSignatures } from '../../../../relayer/inspect/function-signatures/create-function-signatures.ts'
import { pickSignature } from '../../../../relayer/inspect/function-signatures/function-signatures.ts'
import { importSignatures } from '../../../../relayer/inspect/function-signatures/import-signatures.ts'
import { forClient } from '../../../../relayer/shares/client.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { startSignatureServer, type SignatureServer } from './start-signature-server.ts'

const TRANSFER = '0xa9059cbb'
/** Found by search; its selector is that of transfer(address,uint256). */
const MADE_UP = 'many_msg_babbage(bytes1)'

let database: TestDatabase
let server: SignatureServer
let folder: string

beforeAll(async () => {
  database = await openTestDatabase()
  server = await startSignatureServer()
  folder = await mkdtemp(join(tmpdir(), 'signatures-'))
})
beforeEach(async () => {
  server.answerWith(null)
  server.take()
  await database.pool.query(sql.typeAlias('void')`truncate function_signature`)
})
afterAll(async () => {
  await server?.stop()
  await database?.drop()
  if (folder) await rm(folder, { recursive: true })
})

const open = (remote: object | null = null, formats: readonly string[] = []) =>
  createFunctionSignatures({
    database: database.pool,
    listFormats: () => formats,
    config: signaturesConfig.parse(remote ? { remote: { url: server.url, ...remote } } : {}),
    logger: pino({ level: 'silent' }),
  })

const candidatesOf = async (selector: Hex, signatures = open()) =>
  (await signatures.lookup([selector])).get(selector)

async function importText(
  text: string | Buffer,
  options = { verified: false, replace: false },
  name = 'list.csv',
) {
  const file = join(folder, name)
  await writeFile(file, text)
  return importSignatures(database.pool, file, options)
}

describe('a lookup', () => {
  test('prefers the standard to an imitation', async () => {
    expect(toFunctionSelector(MADE_UP)).toBe(TRANSFER)
    await importText(`${MADE_UP},true\n`)
    const candidates = (await candidatesOf(TRANSFER)) ?? []
    expect(candidates).toEqual([
      { signature: 'transfer(address,uint256)', source: 'standard', suspicious: false },
      { signature: MADE_UP, source: 'verified', suspicious: true },
    ])
    expect(pickSignature(candidates)).toBe('transfer(address,uint256)')
  })

  test('gives none of two equally well-known ones, and null for an unknown selector', async () => {
    const [one, other] = ['collide_tLGg5s(uint16)', 'ordinary()'] as const
    const selector = toFunctionSelector(other)
    await database.pool.query(sql.typeAlias('void')`
      insert into function_signature values (${Number(selector) | 0}, ${other}, 3), (${Number(selector) | 0}, ${one}, 3)`)
    const candidates = (await candidatesOf(selector)) ?? []
    expect(candidates.map(({ signature }) => signature)).toEqual([other, one])
    expect(pickSignature(candidates)).toBeNull()
    expect(await candidatesOf('0x00000000')).toEqual([])
  })

  test('knows the formats of the active clear-signing snapshot, above imported ones', async () => {
    await importText('doSomethingRare(uint256,address)\n')
    const selector = toFunctionSelector('doSomethingRare(uint256,address)')
    expect(await candidatesOf(selector)).toMatchObject([{ source: 'reported' }])
    expect(await candidatesOf(selector, open(null, ['doSomethingRare(uint256,address)']))).toEqual([
      { signature: 'doSomethingRare(uint256,address)', source: 'descriptor', suspicious: false },
    ])
  })
})

describe('an import', () => {
  test('accepts text, quotes and flags, leaves out anything else, and stores the best source of each', async () => {
    const told = await importText(
      [
        'first(uint256)',
        '"second(address,(bool,bytes)[])",true',
        'third(),verified\r',
        'first(uint256),1',
        'signature,verified',
        'fourth(uint)',
        `fifth(${'('.repeat(9)}bool${')'.repeat(9)})`,
        'x'.repeat(100_000),
        '\u202esixth()',
        '',
      ].join('\n'),
    )
    expect(told).toEqual({ lines: 9, leftOut: 5, stored: 3 })
    for (const [signature, source] of [
      ['first(uint256)', 'verified'],
      ['second(address,(bool,bytes)[])', 'verified'],
      ['third()', 'verified'],
    ] as const)
      expect(await candidatesOf(toFunctionSelector(signature))).toMatchObject([{ signature, source }])
  })

  test('adds to the stored ones, from a gzipped file as well, or replaces them', async () => {
    await importText('one()\n')
    expect(
      await importText(gzipSync('two()'), { verified: true, replace: false }, 'list.txt.gz'),
    ).toMatchObject({
      stored: 2,
    })
    expect(await candidatesOf(toFunctionSelector('one()'))).toMatchObject([{ source: 'reported' }])
    expect(await candidatesOf(toFunctionSelector('two()'))).toMatchObject([{ source: 'verified' }])
    expect(await importText('three()\n', { verified: false, replace: true })).toMatchObject({ stored: 1 })
    expect(await candidatesOf(toFunctionSelector('one()'))).toEqual([])
  })

  test('that fails midway changes nothing, and lookups go on while one runs', async () => {
    await importText('one()\n')
    const broken = gzipSync(Array.from({ length: 30_000 }, (_, index) => `lost${index}()`).join('\n'))
    await expect(
      importText(broken.subarray(0, -2_000), { verified: false, replace: true }, 'broken.gz'),
    ).rejects.toThrow('unexpected end of file')
    const many = Array.from({ length: 30_000 }, (_, index) => `kept${index}(address)`).join('\n')
    const importing = importText(many, { verified: false, replace: false })
    const isOver = () =>
      Promise.race([importing.then(() => true), new Promise((next) => setImmediate(next, false))])
    do expect(await candidatesOf(toFunctionSelector('one()'))).toHaveLength(1)
    while (!(await isOver()))
    expect(await importing).toMatchObject({ stored: 30_001 })
    const plan = await database.pool.oneFirst(
      sql.type(z.object({ reltuples: z.number() }))`
        select reltuples from pg_class where oid = 'function_signature'::regclass`,
    )
    expect(plan).toBe(30_001)
  })

  test('and another at the same time lose nothing', async () => {
    const told = await Promise.all([
      importText('one()\n', { verified: false, replace: false }, 'a.txt'),
      importText('two()\n', { verified: false, replace: false }, 'b.txt'),
    ])
    expect(told.map(({ stored }) => stored).toSorted((one, other) => one - other)).toEqual([1, 2])
  })
})

describe('a signature server', () => {
  const rare = 'somethingNobodyKnows(uint256)'
  const selector = toFunctionSelector(rare)

  test('is asked once, about unknown selectors alone, and its answer is stored with its class', async () => {
    server.tell(selector, [{ name: rare, hasVerifiedContract: true }])
    const signatures = open({})
    await signatures.lookup([TRANSFER, selector])
    expect(server.take()).toEqual([`/signature-database/v1/lookup?function=${selector}&filter=true`])
    expect(await candidatesOf(selector, signatures)).toMatchObject([{ signature: rare, source: 'verified' }])
    expect(server.take()).toEqual([])
    expect(await candidatesOf(selector)).toMatchObject([{ source: 'verified' }])
  })

  test('is not believed: signatures of other selectors are dropped', async () => {
    server.tell(selector, [
      { name: 'transfer(address,uint256)' },
      { name: `${rare} ` },
      { name: '<script>()' },
    ])
    expect(await candidatesOf(selector, open({}))).toEqual([])
  })

  test.each([
    ['fails', { status: 500, body: '' }],
    ['does not speak the protocol', { status: 200, body: '{"ok":true,"result":{"function":[]}}' }],
    ['is no server of JSON', { status: 200, body: '<html>' }],
    ['answers too much', { status: 200, body: ' '.repeat(1024 * 1024 + 1) }],
    ['redirects', { status: 302, body: '', headers: { location: 'http://127.0.0.1:9/' } }],
  ])('that %s leaves the local answer', async (_, answer) => {
    server.answerWith(answer)
    const found = await open({}).lookup([TRANSFER, selector])
    expect(found.get(TRANSFER)).toMatchObject([{ source: 'standard' }])
    expect(found.get(selector)).toEqual([])
  })

  const unknown = (number: number): Hex => `0x${number.toString(16).padStart(8, '0')}`
  const askAs = (network: string, account: string, number: number, signatures: ReturnType<typeof open>) =>
    forClient({ network, account }, () => signatures.lookup([unknown(number)]))

  test.each([
    ['one account', 1, 1],
    ['a hundred accounts of one network', 1, 100],
    ['a hundred networks', 100, 1],
  ])('is asked for others while %s asks all it can', async (_, networks, accounts) => {
    const signatures = open({ questionsPerMinute: 1_000 })
    for (let number = 1; number <= 500; number += 1)
      await askAs(`flood ${number % networks}`, `free ${number % accounts}`, number, signatures)
    expect(server.take().length).toBeLessThan(400)
    server.tell(selector, [{ name: rare }])
    const found = await forClient({ network: 'home', account: 'honest' }, () => signatures.lookup([selector]))
    expect(found.get(selector)).toMatchObject([{ signature: rare }])
  })

  test('is not asked again about selectors that it does not know, unless it failed or was not asked', async () => {
    const signatures = open({ questionsPerMinute: 120 })
    server.answerWith({ status: 500, body: '' })
    await askAs('home', 'one', 1, signatures)
    server.answerWith(null)
    await askAs('other', 'two', 1, signatures)
    expect(server.take()).toHaveLength(2)
    await askAs('third', 'three', 1, signatures)
    expect(server.take()).toEqual([])
    let number = 100
    do await askAs('home', 'one', ++number, signatures)
    while (server.take().length > 0)
    await askAs('fourth', 'four', number, signatures)
    expect(server.take()).toHaveLength(1)
  })
})

test('thousands of reported signatures of one selector do not hide the verified one', async () => {
  const selector = toFunctionSelector('one()')
  const number = Number(selector) | 0
  await database.pool.query(sql.typeAlias('void')`
    insert into function_signature (selector, signature, source)
    select ${number}, 'reported' || place || '()', 3 from generate_series(1, 6000) as place`)
  await database.pool.query(sql.typeAlias('void')`
    insert into function_signature (selector, signature, source) values (${number}, 'one()', 2)`)
  expect((await candidatesOf(selector))?.[0]).toMatchObject({ signature: 'one()', source: 'verified' })
})
