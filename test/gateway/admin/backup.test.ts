import { randomBytes, randomUUID } from 'node:crypto'
import { access, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listDumpedTables } from '../../../db/backup/dump-rows.ts'
import { describeServer, openSession } from '../../../db/database-servers.ts'
import { parseCommand } from '../../../gateway/admin/run-command.ts'
import { loadConfig } from '../../../gateway/config/load-config.ts'
import { createVault } from '../../../relayer/identity/create-vault.ts'
import { createKeyWrapper } from '../../../relayer/identity/key-wrapper.ts'
import { rowsOfVersion } from '../../db/rows-of-version.ts'
import { openEmptyDatabase, openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { startNode, type Node } from '../../relayer/chain/broadcast/start-node.ts'

const CHAIN_ID = 100
/** Text that COPY has to escape, with a line that looks like its end. */
const AWKWARD = 'tab\tline\n\\.\nCOPY "account" FROM stdin;\nback\\slash ü € 𝄞'

interface Receipt {
  transactionHash: string
  blockHash: string
  gasUsed: string
  effectiveGasPrice: string
}

let node: Node
let database: TestDatabase
let folder: string
let recipient: string
let env: Record<string, string>
beforeAll(async () => {
  node = await startNode('--chain-id', String(CHAIN_ID))
  database = await openTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'backup-'))
  const CONFIG = join(folder, 'config.json')
  await writeFile(CONFIG, JSON.stringify({ chains: [{ preset: 'gnosis', rpcUrls: [node.url] }] }))
  env = { CONFIG, DATABASE_URL: database.url, DATA_DIR: folder }
  const key = await admin(['backup', 'key'])
  await writeFile(join(folder, 'identity'), key)
  recipient = /age1\w+/.exec(key)![0]
  await fillDatabase()
})
afterAll(async () => {
  await node?.stop()
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

async function admin(words: readonly string[], more: Record<string, string> = {}): Promise<string> {
  const lines: string[] = []
  const command = parseCommand(words)
  if (command.usesDatabase) throw new Error('backups open the database by themselves')
  const all = { ...env, ...more }
  await command.run({ config: loadConfig(all), env: all, print: (line) => void lines.push(line) })
  return lines.join('\n')
}

const inFolder = (name: string) => join(folder, name)
const backUp = (name: string) => admin(['backup', inFolder(name), '--recipient', recipient])
const check = (name: string, ...more: string[]) =>
  admin(['backup', 'check', inFolder(name), '--identity', inFolder('identity'), ...more])

async function run<Row extends pg.QueryResultRow>(url: string, statement: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(statement, values)).rows
  } finally {
    await client.end()
  }
}

/** Rows in most tables, and one transaction that the chain has. */
async function fillDatabase(): Promise<void> {
  const [from] = await node.ask<string[]>('eth_accounts')
  const receipt = await node.ask<Receipt>('eth_sendTransactionSync', { from, to: from, value: '0x1' })
  const { number, hash } = await node.ask<{ number: string; hash: string }>(
    'eth_getBlockByNumber',
    'latest',
    false,
  )
  await run(database.url, rowsOfVersion(1_001))
  await run(
    database.url,
    `insert into outbound_tx (id, chain_id, kind, reference, to_address, value, gas_limit, status, signer, tx_nonce, mined_hash,
       mined_block_number, mined_block_hash, fee, gas_used, settled_at)
     values (gen_random_uuid(), $1, 'relay', 'x', 'y', 1, 21000, 'confirmed', 'z', 0, $2, $3, $4, $5, $6, now())`,
    [
      CHAIN_ID,
      receipt.transactionHash,
      Number(number),
      receipt.blockHash,
      String(BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)),
      Number(receipt.gasUsed),
    ],
  )
  await run(
    database.url,
    'insert into indexed_chain (chain_id, start_block, block_number, block_hash, problem) values ($1, 0, $2, $3, $4)',
    [CHAIN_ID, Number(number), hash, AWKWARD],
  )
}

/** A digest of each table's rows, whatever their order, and of each sequence. */
async function digest(url: string): Promise<Record<string, string>> {
  const client = await openSession(url)
  try {
    const digests: Record<string, string> = {}
    for (const { name } of await listDumpedTables(client)) {
      const { rows } = await client.query<{ digest: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(one::text, '|' order by one::text)), '') as digest from ${name} as one`,
      )
      digests[name] = rows[0]!.digest
    }
    const { rows } = await client.query<{ name: string; value: string }>(
      `select sequencename as name, coalesce(last_value::text, 'unused') as value from pg_sequences`,
    )
    for (const { name, value } of rows) digests[name] = value
    return digests
  } finally {
    await client.end()
  }
}

it('a backup restores every row and sequence into another database, and nothing of it is readable without the key', async () => {
  await backUp('whole')
  expect((await stat(inFolder('whole'))).mode & 0o077).toBe(0)
  expect((await readFile(inFolder('whole'), 'latin1')).startsWith('age-encryption.org/v1')).toBe(true)
  const other = await openEmptyDatabase()
  try {
    const text = await admin(['backup', 'restore', inFolder('whole'), '--identity', inFolder('identity')], {
      DATABASE_URL: other.url,
    })
    expect(text).toMatch(
      /^The backup of \d{4}-.*Z has \d+ rows of \d+ tables, with 2 accounts\n.* has them now$/,
    )
    const digests = await digest(other.url)
    expect(digests).toEqual(await digest(database.url))
    expect(Object.values(digests).filter((one) => !one.startsWith('0 ')).length).toBeGreaterThan(30)
    const [disabled] = await run<{ count: string }>(
      other.url,
      `select count(*) from pg_trigger where tgenabled <> 'O' and not tgisinternal`,
    )
    expect(disabled!.count).toBe('0')
    await expect(
      admin(['backup', 'restore', inFolder('whole'), '--identity', inFolder('identity')], {
        DATABASE_URL: other.url,
      }),
    ).rejects.toThrow('the database has accounts')
  } finally {
    await other.drop()
  }
})

it('a backup is not restored into another database than the one that is named', async () => {
  await backUp('astray')
  const [named, other] = [await openEmptyDatabase(), await openEmptyDatabase()]
  try {
    const restore = ['backup', 'restore', inFolder('astray'), '--identity', inFolder('identity')]
    const both = { DATABASE_URL: named.url, DATABASE_DIRECT_URL: other.url }
    await expect(admin(restore, both)).rejects.toThrow(/to another database at .*: change both together/)
    await expect(run(other.url, 'select 1 from account')).rejects.toThrow('does not exist')
    const direct = { ...both, DATABASE_DIRECT_URL: named.url }
    expect(await admin(restore, direct)).toContain(`${describeServer(named.url)} has them now`)
    await expect(admin(restore, direct)).rejects.toThrow(
      `was not loaded into ${describeServer(named.url)}: the database has accounts`,
    )
  } finally {
    await named.drop()
    await other.drop()
  }
})

it('a check restores into a server of its own and compares the books with the chain', async () => {
  await backUp('good')
  const text = await check('good')
  expect(text).toMatch(/ok: chain 100 Gnosis has block \d+, up to which it was indexed/)
  expect(text).toContain('ok: chain 100 Gnosis agrees with the books about the newest 1 transactions')
})

/** Checks a backup in a database that is thrown away afterwards. */
async function checkInScratch(name: string, more: Record<string, string>): Promise<string> {
  const scratch = await openEmptyDatabase()
  try {
    const words = ['backup', 'check', inFolder(name), '--identity', inFolder('identity')]
    return await admin([...words, '--scratch', scratch.url], more)
  } finally {
    await scratch.drop()
  }
}

it('a check says whether the master keys at hand open the secrets', async () => {
  const [first, second] = [randomBytes(32), randomBytes(32)]
  const accountId = randomUUID()
  const key = createKeyWrapper(first)
  const { bytes } = await createVault([key]).seal(accountId, Buffer.from('viewing key'))
  const other = await openTestDatabase()
  try {
    await run(
      other.url,
      `insert into account (id, auth_address, sealed_keys, master_key_id) values ($1, $2, $3, $4)`,
      [accountId, `0x${'ab'.repeat(20)}`, bytes, key.id],
    )
    await admin(['backup', inFolder('sealed'), '--recipient', recipient], { DATABASE_URL: other.url })
  } finally {
    await other.drop()
  }
  const those = `1 secrets of the kind account under key ${key.id}`
  const both = `${second.toString('hex')},${first.toString('hex')}`
  expect(await checkInScratch('sealed', { MASTER_KEYS: both })).toContain(`ok: master keys open ${those}`)
  expect(await checkInScratch('sealed', {})).toContain('warn: master keys are not at hand')
  const foreign = checkInScratch('sealed', { MASTER_KEYS: second.toString('hex') })
  await expect(foreign).rejects.toThrow('The master keys at hand do not open the secrets of this backup')
  await expect(access(join(folder, 'master-key')), 'a check makes no key').rejects.toThrow('ENOENT')
})

it('a check names the transaction that cost something else than the books say', async () => {
  const [{ hash } = { hash: '' }] = await run<{ hash: string }>(
    database.url,
    `update outbound_tx set fee = fee + 1 where chain_id = $1 and mined_hash is not null returning mined_hash as hash`,
    [CHAIN_ID],
  )
  await backUp('wrong')
  const scratch = await openEmptyDatabase()
  try {
    await expect(check('wrong', '--scratch', scratch.url)).rejects.toThrow('differ in 1 points')
    await expect(check('wrong', '--scratch', scratch.url)).rejects.toThrow('choose an empty one')
  } finally {
    await scratch.drop()
    await run(database.url, 'update outbound_tx set fee = fee - 1 where mined_hash = $1', [hash])
  }
})

it('a backup that is cut short, of another schema or for another key is refused', async () => {
  await backUp('first')
  const whole = await readFile(inFolder('first'))
  await writeFile(inFolder('cut'), whole.subarray(0, whole.length - 100))
  await writeFile(inFolder('other-identity'), await admin(['backup', 'key']))
  const scratch = await openEmptyDatabase()
  try {
    const into = ['--scratch', scratch.url]
    await expect(check('cut', ...into)).rejects.toThrow(/cut (?:cannot be read|was not loaded)/)
    await expect(
      admin(['backup', 'check', inFolder('first'), '--identity', inFolder('other-identity'), ...into]),
    ).rejects.toThrow('cannot be read')
    await run(
      database.url,
      `insert into schema_function (name, sha256) values ('functions/of/later.sql', 'x')`,
    )
    await backUp('later')
    await expect(check('later', ...into)).rejects.toThrow(
      'another version, which differs in functions/of/later.sql',
    )
    const [{ count } = { count: '' }] = await run<{ count: string }>(
      scratch.url,
      'select count(*) from account',
    )
    expect(count).toBe('0')
  } finally {
    await run(database.url, `delete from schema_function where name = 'functions/of/later.sql'`)
    await scratch.drop()
  }
})
