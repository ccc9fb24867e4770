import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../db/connect-database.ts'
import { startEmbeddedPostgres } from '../../../db/embedded-postgres/start-embedded-postgres.ts'
import { consumeInviteCode } from '../../../db/identity/invite-codes.ts'
import { listAccountFeatures } from '../../../db/market/tokens/account-tokens.ts'
import { AdminError } from '../../../gateway/admin/command.ts'
import { createLogger } from '../../../gateway/logging.ts'
import { runCli } from '../../harness/run-cli.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { addAccount, openInstance, TEST_MASTER_KEY } from '../../relayer/identity/open-instance.ts'
import { createWallet } from '../../relayer/identity/wallet.ts'
import { followCommand } from './follow-command.ts'

let database: TestDatabase
let dataDir: string
beforeAll(async () => {
  database = await openTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'admin-test-'))
})
afterAll(async () => {
  await database?.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const masterKey = TEST_MASTER_KEY.toString('hex')

const environment = () => ({ DATABASE_URL: database.url, DATA_DIR: dataDir, MASTER_KEYS: masterKey })

/** `npm run admin -- …` beside running instances on the same database. */
const admin = (args: string[], env: Record<string, string> = {}) =>
  runCli('gateway/admin/main.ts', args, { ...environment(), ...env })

const succeeded = { code: 0, stderr: '' }

/** Runs the command in this process. @returns What it prints. */
async function follow(args: string[], env: Record<string, string> = {}): Promise<string> {
  const { refusal, printed } = await followCommand(args, database.pool, { ...environment(), ...env })
  if (refusal !== null) throw refusal
  return printed.map((line) => `${line}\n`).join('')
}

describe('npm run admin', () => {
  it('creates, lists and revokes API keys of an account', async () => {
    const instance = await openInstance(database)
    const accountId = await addAccount(database, instance.vault, createWallet())
    const made = await admin([
      'api-key',
      'create',
      '--account',
      accountId,
      '--scopes',
      'read',
      '--days',
      '30',
      '--label',
      'books',
    ])
    expect(made).toMatchObject(succeeded)
    const token = made.stdout.trim()
    expect(await instance.identity.authenticate(token)).toMatchObject({
      accountId,
      scopes: new Set(['read']),
    })
    const id = token.split('_')[2] ?? ''
    await database.pool.query(sql.typeAlias('void')`
      update api_key set seal = null, master_key_id = null where id = ${id}`)
    expect(await instance.identity.authenticate(token)).toBe(null)
    expect(await follow(['api-key', 'list'])).toContain('not sealed')
    await follow(['api-key', 'seal', id])
    expect(await instance.identity.authenticate(token)).toMatchObject({ accountId })
    await expect(follow(['api-key', 'seal', id])).rejects.toThrow(AdminError)
    const listed = await follow(['api-key', 'list', '--account', accountId])
    expect(listed).toMatch(new RegExp(`^${id}\t${accountId}\tread\tmade .*\texpires .*\tbooks\n$`))
    expect(listed).not.toContain(token)
    await follow(['api-key', 'revoke', id])
    expect(await instance.identity.authenticate(token)).toBe(null)
    expect(await follow(['api-key', 'list'])).toContain('revoked')
    await expect(follow(['api-key', 'revoke', id])).rejects.toThrow(AdminError)
  })

  it('creates invite codes that work once each, in any spelling', async () => {
    const made = await follow(['invite-code', 'create', '--count', '3', '--label', 'friends'])
    const codes = made.trim().split('\n')
    expect(new Set(codes).size).toBe(3)
    const [first = '', second = ''] = codes
    const typed = first.toLowerCase().replaceAll('-', ' ')
    const uses = await Promise.all(Array.from({ length: 10 }, () => consumeInviteCode(database.pool, typed)))
    expect(uses.filter(Boolean)).toHaveLength(1)
    expect(await consumeInviteCode(database.pool, second.slice(0, -1))).toBe(false)
    const listed = await follow(['invite-code', 'list'])
    expect(listed.match(/used /g)).toHaveLength(1)
    expect(listed.match(/\tgood\tfriends/g)).toHaveLength(2)
    for (const code of codes) expect(listed).not.toContain(code)
  })

  it('disables and enables accounts', async () => {
    const instance = await openInstance(database)
    const wallet = createWallet()
    const accountId = await addAccount(database, instance.vault, wallet)
    const token = await instance.signIn(wallet)
    await follow(['account', 'disable', accountId.toUpperCase()])
    expect(await instance.identity.authenticate(token)).toBe(null)
    await follow(['account', 'enable', accountId])
    expect(await instance.identity.authenticate(token)).toMatchObject({ accountId })
  })

  it('grants, lists and revokes features', async () => {
    const instance = await openInstance(database)
    const [accountId, other] = [
      await addAccount(database, instance.vault, createWallet()),
      await addAccount(database, instance.vault, createWallet()),
    ]
    expect(await follow(['feature', 'grant', accountId.toUpperCase(), 'euro'])).toBe(
      `Account ${accountId} has the feature euro\nNo pool of the configuration names it\n`,
    )
    expect(await follow(['feature', 'grant', accountId, 'euro'])).toContain('had the feature')
    await follow(['feature', 'grant', other, 'euro'])
    await follow(['feature', 'grant', accountId, 'beta'])
    expect(await follow(['feature', 'list', accountId])).toBe(`${accountId}\tbeta\n${accountId}\teuro\n`)
    expect((await follow(['feature', 'list'])).split('\n')).toHaveLength(4)
    expect(await listAccountFeatures(database.pool, accountId)).toEqual(new Set(['beta', 'euro']))
    await follow(['feature', 'revoke', accountId, 'euro'])
    expect(await listAccountFeatures(database.pool, accountId)).toEqual(new Set(['beta']))
    expect(await listAccountFeatures(database.pool, other)).toEqual(new Set(['euro']))
    for (const refused of [
      ['revoke', accountId, 'euro'],
      ['grant', randomUUID(), 'euro'],
      ['revoke', randomUUID(), 'euro'],
      ['grant', 'alice', 'euro'],
      ['grant', accountId, 'x'.repeat(65)],
      ['grant', accountId],
      ['list', 'alice'],
    ])
      await expect(follow(['feature', ...refused])).rejects.toThrow(AdminError)
  })

  it('rotates keys while instances run, and re-wraps everything under a new master key', async () => {
    const instance = await openInstance(database)
    const before = await instance.identity.jwks()
    await follow(['rotate-keys', 'token'])
    const token = await instance.signIn(createWallet())
    const newest = randomBytes(32).toString('hex')
    const env = { MASTER_KEYS: `${newest},${masterKey}` }
    expect(await follow(['rewrap-keys'], env)).toMatch(/server-key: [3-9] re-wrapped/)
    const alone = await openInstance(database, { masterKeys: [Buffer.from(newest, 'hex')] })
    expect(await alone.identity.authenticate(token)).not.toBe(null)
    const { keys } = await alone.identity.jwks()
    expect(keys).toHaveLength(before.keys.length + 1)
    // The old key alone opens nothing any more; restore it for the other tests.
    await expect(openInstance(database)).rejects.toThrow(/identity\.masterKeys/)
    await follow(['rewrap-keys'], { MASTER_KEYS: `${masterKey},${newest}` })
    await openInstance(database)
  })

  it('refuses to activate keys that the service could not open', async () => {
    const instance = await openInstance(database)
    const stranger = { MASTER_KEYS: randomBytes(32).toString('base64') }
    await expect(follow(['rotate-keys'], stranger)).rejects.toThrow(
      /identity\.masterKeys lacks: add that key to the list/,
    )
    await expect(follow(['rewrap-keys'], stranger)).rejects.toThrow(/left as they are/)
    const token = await instance.signIn(createWallet())
    expect(await (await openInstance(database)).identity.authenticate(token)).not.toBe(null)
  })

  it.each([
    [[], 0, /Usage: npm run admin/],
    [['--help'], 0, /api-key create --account/],
  ])('lists its commands for %j', async (args, code, shown) => {
    expect(await admin(args)).toMatchObject({ code, stdout: expect.stringMatching(shown), stderr: '' })
  })

  it.each([
    [['api-key', 'create', '--everything'], /Usage: npm run admin -- api-key create/],
    [['api-key', 'revoke', 'nothing'], /There is no API key nothing/],
  ])('refuses %j with the reason', async (args, complaint) => {
    const { code, stdout, stderr } = await admin(args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(complaint)
    expect(stderr).not.toContain('node_modules')
  })

  it.each([
    [['api-key'], /There is no command "api-key"/],
    [['drop', 'everything'], /There is no command "drop everything"/],
    [['api-key', 'create'], /--account <accountId> is missing/],
    [['api-key', 'create', '--account', 'me'], /me is no accountId/],
    [['api-key', 'create', '--account', randomUUID()], /There is no account/],
    [['api-key', 'create', '--account', randomUUID(), '--scopes', 'all'], /--scopes is all/],
    [['api-key', 'create', '--account', randomUUID(), '--days', '0'], /--days is 0/],
    [['api-key', 'revoke'], /Usage: npm run admin -- api-key revoke <id>/],
    [['invite-code', 'create', '--count', '5000'], /--count is 5000/],
    [['account', 'disable', randomUUID()], /There is no account/],
    [['rotate-keys', 'both'], /no keys named both/],
  ])('refuses %j with the reason and exit code 1', async (args, complaint) => {
    const { refusal, printed } = await followCommand(args, database.pool, environment())
    expect(refusal).toBeInstanceOf(AdminError)
    expect(refusal).toMatchObject({ message: expect.stringMatching(complaint) })
    expect(printed).toEqual([])
  })

  it('names the fault of a server that is away, without its password', async () => {
    const env = { DATABASE_URL: 'postgres://somebody:hushhush@127.0.0.1:9/nothing' }
    const { code, stderr } = await admin(['api-key', 'list'], env)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Cannot connect to PostgreSQL at 127\.0\.0\.1:9\/nothing: .*\n$/)
    expect(stderr).not.toContain('hushhush')
  })
})

describe('npm run admin on the embedded database', () => {
  it('uses a running server, starts a stopped one, and says when there is none', async () => {
    const ownDir = await mkdtemp(join(tmpdir(), 'admin-embedded-'))
    const run = (args: string[]) => runCli('gateway/admin/main.ts', args, { DATA_DIR: ownDir })
    try {
      const none = await run(['invite-code', 'create'])
      expect(none).toMatchObject({ code: 1, stdout: '' })
      expect(none.stderr).toMatch(/no database in .*start the service once/)

      const server = await startEmbeddedPostgres({
        dataDir: ownDir,
        logger: createLogger({ level: 'silent' }),
      })
      const first = await run(['invite-code', 'create'])
      await server.stop()
      expect(first).toMatchObject(succeeded)

      expect(await run(['invite-code', 'create'])).toMatchObject(succeeded)
      const listed = await run(['invite-code', 'list'])
      expect(listed.stdout.trim().split('\n')).toHaveLength(2)
    } finally {
      await rm(ownDir, { recursive: true, force: true })
    }
  })
})
