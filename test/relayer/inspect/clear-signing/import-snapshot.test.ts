import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import { pino } from 'pino'
import { keccak256, toHex } from 'viem'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { AdminError } from '../../../../gateway/admin/command.ts'
import { compileSchema } from '../../../../relayer/inspect/clear-signing/compile-schema.ts'
import { buildSnapshot } from '../../../../relayer/inspect/clear-signing/import-snapshot.ts'
import { openClearSigning } from '../../../../relayer/inspect/clear-signing/create-clear-signing.ts'
import { computeAddresses } from '../../../devnet/deploy/devnet-addresses.ts'
import { listDevnetDescriptors } from '../../../devnet/clear-signing/list-devnet-descriptors.ts'
import { followCommand } from '../../../gateway/admin/follow-command.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import {
  COMMIT,
  CONTRACT,
  describing,
  packArchive,
  SMALL_REGISTRY,
  writeRegistry,
  type Content,
  type Entry,
} from './registry-files.ts'

const MEBIBYTE = 2 ** 20
let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await openTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'archives-test-'))
})
afterAll(async () => {
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

const bank = { kind: 'calldata', chainId: 1, address: CONTRACT } as const

/** An instance of the service, as far as descriptors go. */
async function openInstance(config = { pullRequests: false }) {
  const instance = await openClearSigning({
    database: database.pool,
    databaseUrl: database.url,
    chains: new Map(),
    tokens: { findPublic: async () => null, isListed: () => false },
    config,
    logger: pino({ level: 'silent' }),
  })
  onTestFinished(() => instance.stop())
  return instance
}

async function admin(...args: string[]): Promise<string[]> {
  const { refusal, printed } = await followCommand(['clear-signing', ...args], database.pool, {})
  if (refusal !== null) throw refusal
  return printed
}

const importFolder = async (files: Content, ...more: string[]) =>
  admin('import', await writeRegistry(files), '--commit', COMMIT, ...more)

async function importArchive(entries: readonly Entry[], ...more: string[]) {
  const { archive, sha256 } = packArchive(entries)
  const file = join(folder, `${sha256}.tar.gz`)
  await writeFile(file, archive)
  return admin('import', file, '--commit', COMMIT, '--sha256', sha256, ...more)
}

const entriesOf = (files: Content): Entry[] =>
  Object.entries(files).map(([path, content]) => ({ path: `repository-ab/${path}`, content }))

const firstWord = ([line = '']: readonly string[]) => /^Import (\d+) is served/.exec(line)?.[1] ?? line

test('an import is merged, hashed canonically and served by every running instance', async () => {
  const [one, other] = [await openInstance(), await openInstance()]
  await expect(one.lookup(bank)).rejects.toMatchObject({ kind: 'not-found' })
  await importFolder(SMALL_REGISTRY)
  for (const instance of [one, other]) await expect.poll(() => instance.lookup(bank)).toBeTruthy()
  const { text, source, binding } = await other.lookup(bank)
  const expected = {
    context: { contract: { deployments: [{ chainId: 1, address: CONTRACT }] } },
    metadata: { owner: 'Maker' },
    display: {
      formats: {
        'pay(uint amount)': { intent: 'Pay', fields: [{ path: 'amount', label: 'Sum', format: 'raw' }] },
      },
    },
  }
  expect(JSON.parse(text)).toEqual(expected)
  expect(source).toEqual({
    registry: 'ethereum',
    status: 'merged',
    repository: 'https://github.com/ethereum/clear-signing-erc7730-registry',
    commit: COMMIT,
    path: 'registry/maker/calldata-bank.json',
    url: `https://github.com/ethereum/clear-signing-erc7730-registry/blob/${COMMIT}/registry/maker/calldata-bank.json`,
    descriptorHash: keccak256(toHex(canonicalize(expected) ?? '')),
    pullRequest: null,
  })
  expect(binding).toMatchObject({ kind: 'deployment', address: CONTRACT, evidence: { kind: 'registry' } })
  expect(one.listFormats()).toEqual(['pay(uint256)'])
  expect(one.listFormats()).toBe(one.listFormats())
})

test('an archive of the right hash is imported, and an earlier import can be served again or removed', async () => {
  const instance = await openInstance()
  const before = firstWord(await importFolder(SMALL_REGISTRY))
  const changed = { ...SMALL_REGISTRY, 'registry/maker/common-bank.json': { metadata: { owner: 'Changed' } } }
  const after = firstWord(
    await importArchive([
      { path: 'pax', type: 'g', content: `52 comment=${COMMIT}\n` },
      ...entriesOf(changed),
    ]),
  )
  const ownerOf = async () => JSON.parse((await instance.lookup(bank)).text).metadata.owner as string
  await expect.poll(ownerOf).toBe('Changed')
  await admin('activate', before)
  await expect.poll(ownerOf).toBe('Maker')
  const [newest = '', next = ''] = await admin('list')
  expect(newest).toMatch(new RegExp(`^${after}\t-\tethereum\tmerged\t${COMMIT}\t2\t`))
  expect(next).toMatch(new RegExp(`^${before}\tserved\t`))
  await admin('remove', before)
  await expect.poll(() => instance.lookup(bank).catch(({ kind }) => kind)).toBe('not-found')
  for (const [command, id] of [
    ['activate', before],
    ['remove', before],
    ['activate', 'x'],
  ] as const)
    await expect(admin(command, id)).rejects.toThrow(AdminError)
})

test('a registry’s merged descriptor stands above a proposed one, and that above the operator’s own', async () => {
  const [strict, open] = [await openInstance(), await openInstance({ pullRequests: true })]
  const intended = (intent: string): Content => ({
    'registry/x/calldata-x.json': {
      ...describing('pay(uint256 amount)'),
      metadata: { owner: intent },
    },
  })
  const ownerOf = async ({ lookup }: typeof strict) =>
    JSON.parse((await lookup(bank)).text).metadata.owner as string
  const local = await writeRegistry(intended('own'))
  await admin('import', local, '--local', 'yes')
  await expect.poll(() => ownerOf(open)).toBe('own')
  await importFolder(intended('proposed'), '--pull-request', '7')
  await expect.poll(() => ownerOf(open)).toBe('proposed')
  expect((await open.lookup(bank)).source).toMatchObject({ status: 'pull_request', pullRequest: 7 })
  expect(await ownerOf(strict)).toBe('own')
  expect((await strict.lookup(bank)).source).toMatchObject({ status: 'local', url: null, commit: null })
  await importFolder(intended('merged'))
  await expect.poll(() => Promise.all([ownerOf(open), ownerOf(strict)])).toEqual(['merged', 'merged'])
})

const one = (content: unknown): Content => ({ 'registry/x/calldata-x.json': content })
const pay = describing('pay(uint256 amount)')
const text = JSON.stringify(pay)
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

/** Refused descriptors, with the words of the refusal. */
const HOSTILE: readonly (readonly [string, Content, RegExp])[] = [
  ['no JSON', one('{'), /JSON/],
  ['no UTF-8', one(Buffer.from([0x22, 0xff, 0x22])), /utf-8/],
  ['a member twice', one(text.replace('"display"', '"context":{},"display"')), /\\?"context\\?" comes twice/],
  [
    'a member twice by an escape',
    one(text.replace('"display"', '"\\u0063ontext":{},"display"')),
    /comes twice/,
  ],
  ['__proto__', one(text.replace('"display"', '"__proto__":{},"display"')), /__proto__/],
  ['deep nesting', one(text.replace('"raw"', nested(40))), /deeper than 32/],
  ['a number that readers round', one(text.replace('"chainId":1', '"chainId":9007199254740993')), /number/],
  ['a bidirectional text', one(text.replace('Amount', 'Amo\\u202eunt')), /invisible/],
  ['a control character in a name', one(text.replace('"amount"', '"amo\\u0007unt"')), /invisible/],
  ['what the schema does not know', one({ ...pay, script: 'x' }), /additional properties/],
  [
    'a link that is no web page',
    one({ ...pay, metadata: { info: { url: 'javascript:alert(1)' } } }),
    /format/,
  ],
  ['another kind than its name', one({ ...pay, context: { eip712: {} } }), /no `contract`/],
  ['no format', one({ ...pay, display: { formats: {} } }), /formats nothing/],
  ['a key that is no function', one(describing('pay(uint256 amount,)')), /not a function signature/],
  [
    'two keys of one selector',
    one(text.replace('"formats":{', '"formats":{"pay(uint value)":{"intent":"Get","fields":[]},')),
    /two formats are of 0x/,
  ],
  ['a wrong checksum', one(text.replaceAll(CONTRACT, '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')), /eip55/],
  ['a deployment without chain', one(text.replace('"chainId":1,', '')), /no chainId/],
  ['an include outside', one({ ...pay, includes: '../../../etc/passwd.json' }), /does not have/],
  ['an include by URL', one({ ...pay, includes: 'https://x.example/a.json' }), /no path/],
  ['includes in a circle', one({ ...pay, includes: 'calldata-x.json' }), /circle/],
  [
    'nine includes',
    Object.fromEntries(
      Array.from({ length: 10 }, (_, place) => [
        `registry/x/${place === 0 ? 'calldata' : 'common'}-${place}.json`,
        { ...(place === 0 && pay), includes: `common-${place + 1}.json` },
      ]),
    ),
    /more than 8/,
  ],
  [
    'two descriptors of one call',
    { ...one(pay), 'registry/y/calldata-y.json': describing('pay(uint other)') },
    /describes what registry\/x\/calldata-x.json describes/,
  ],
  ['nothing', { 'registry/x/notes.json': {} }, /no descriptors/],
  ['a huge file', one(text.replace('Amount', 'x'.repeat(MEBIBYTE))), /larger than/],
]

test.each(HOSTILE)('a registry with %s is refused, and the served one stays', async (_, files, complaint) => {
  const listServed = async () => (await admin('list')).filter((line) => line.includes('\tserved\t'))
  const served = await listServed()
  const refusal = await importFolder(files).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(AdminError)
  expect((refusal as Error).message).toMatch(complaint)
  expect((refusal as Error).message).not.toMatch(/\n\s+at |[^\n\P{C}]/u)
  expect(served.length).toBeGreaterThan(0)
  expect(await listServed()).toEqual(served)
})

const file = entriesOf(one(pay))
/** Refused archives, with the words of the refusal. */
const ARCHIVES: readonly (readonly [string, readonly Entry[], RegExp])[] = [
  ['a symbolic link', [...file, { path: 'a/b.json', type: '2', link: '/etc/passwd' }], /of the type/],
  ['a hard link', [...file, { path: 'a/b.json', type: '1', link: 'a' }], /of the type/],
  ['a path above', [...file, { path: 'a/../../b.json' }], /leaves the root/],
  ['an absolute path', [...file, { path: '/etc/b.json' }], /leaves the root/],
  [
    'a path by an extended header',
    [{ path: 'x', type: 'x', content: '16 path=/a.json\n' }, ...file],
    /leaves the root/,
  ],
  [
    'a size by an extended header',
    [{ path: 'x', type: 'x', content: '12 size=9999\n' }, ...file],
    /extended header/,
  ],
  ['a path twice', [...file, ...file], /comes twice/],
  [
    'a file of more than a mebibyte',
    [...file, { path: 'a/b', content: 'x'.repeat(MEBIBYTE + 1) }],
    /larger than/,
  ],
  [
    'more than 20,000 files',
    Array.from({ length: 20_001 }, (_, place) => ({ path: `a/${place}` })),
    /more than 20000/,
  ],
  [
    'another commit',
    [{ path: 'p', type: 'g', content: `52 comment=${'cd'.repeat(20)}\n` }, ...file],
    /of the commit/,
  ],
  ['more than 64 mebibytes', [{ path: 'a/b', content: Buffer.alloc(65 * MEBIBYTE) }], /holds more than/],
]

test.each(ARCHIVES)('an archive with %s is refused', async (_, entries, complaint) => {
  await expect(importArchive(entries)).rejects.toThrow(complaint)
})

test('an archive must have the hash that the operator names, whole and as gzip', async () => {
  const { archive, sha256 } = packArchive(file)
  const importAs = async (bytes: Buffer, hash: string) => {
    const path = join(folder, 'any.tar.gz')
    await writeFile(path, bytes)
    return admin('import', path, '--commit', COMMIT, ...(hash ? ['--sha256', hash] : []))
  }
  await expect(importAs(archive, '')).rejects.toThrow(/--sha256/)
  await expect(importAs(archive, 'f'.repeat(64))).rejects.toThrow(`the archive's SHA-256 is ${sha256}`)
  const noGzip = Buffer.from('no archive')
  const { createHash } = await import('node:crypto')
  const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  await expect(importAs(noGzip, hashOf(noGzip))).rejects.toThrow(/not gzip/)
  await expect(admin('import', 'https://127.0.0.1:9/a.tar.gz', '--commit', COMMIT)).rejects.toThrow(
    /--sha256/,
  )
  await expect(admin('import', folder, '--commit', 'main')).rejects.toThrow(/40 hex digits/)
})

test('a folder of git must be as the commit has it, without links', async () => {
  const root = await writeRegistry(SMALL_REGISTRY)
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=t', '-c', 'user.email=t@t.example', ...args], {
      encoding: 'utf8',
    })
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'one')
  const commit = git('rev-parse', 'HEAD').trim()
  const run = (hash = commit) => admin('import', root, '--commit', hash, '--dry-run', 'yes')
  expect(await run()).toEqual([
    expect.stringMatching(/^2 descriptors that name 2 contracts.*nothing was stored$/),
  ])
  await expect(run(COMMIT)).rejects.toThrow(/does not list the commit/)
  // A filter of the repository would run a stranger's command, if git were asked whether the tree is clean.
  const trap = join(folder, 'trap')
  git('config', 'core.fsmonitor', `touch ${trap}`)
  const changed = join(root, 'registry/maker/common-bank.json')
  const content = await readFile(changed, 'utf8')
  await writeFile(changed, content.replace('Maker', 'Faker'))
  await expect(run()).rejects.toThrow(/"registry\/maker\/common-bank.json": is not as in the commit/)
  await rename(changed, join(root, 'moved.json'))
  await expect(run()).rejects.toThrow(/is not as in the commit/)
  await symlink(join(root, 'moved.json'), changed)
  await expect(run()).rejects.toThrow(/neither a file nor a folder/)
  await symlink(join(root, 'registry'), join(root, 'ercs'))
  await expect(run()).rejects.toThrow(/neither a file nor a folder|is no folder/)
  await expect(readFile(trap)).rejects.toThrow(/ENOENT/)
})

test('imports at once come one after another, and one of them is served', async () => {
  const ids = await Promise.all([1, 2, 3, 4].map(async () => firstWord(await importFolder(SMALL_REGISTRY))))
  expect(new Set(ids).size).toBe(4)
  const served = (await admin('list')).filter((line) => line.includes('\tserved\tethereum\tmerged\t'))
  expect(served.map((line) => line.split('\t')[0])).toEqual([String(Math.max(...ids.map(Number)))])
})

test('descriptors with a problem are left out only when the operator says so', async () => {
  const files = { ...SMALL_REGISTRY, 'registry/x/calldata-bad.json': '{' }
  await expect(importFolder(files)).rejects.toThrow(
    /^Nothing was imported\.\nregistry\/x\/calldata-bad\.json: /,
  )
  expect(await importFolder(files, '--skip-invalid', 'yes')).toEqual([
    expect.stringMatching(/^left out: registry\/x\/calldata-bad\.json: /),
    expect.stringMatching(/^Import \d+ is served: 2 descriptors/),
  ])
})

test('the devnet’s own descriptors pass the checks of an import', async () => {
  const chains = [31_337, 31_338].map((chainId) => ({
    chainId,
    addresses: computeAddresses(CONTRACT, chainId),
  }))
  const files = Object.entries(await listDevnetDescriptors(chains)).map(
    ([path, text]) => [path, Buffer.from(text)] as const,
  )
  const { descriptors, problems } = buildSnapshot(new Map(files), compileSchema())
  expect(problems).toEqual([])
  expect(descriptors.flatMap(({ standard }) => standard ?? []).toSorted()).toEqual([
    'erc20',
    'erc2612',
    'erc721',
  ])
})
