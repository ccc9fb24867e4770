import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../db/connect-database.ts'
import { findCashPayee, insertCashPayee } from '../../../db/transact/cash-payees.ts'
import { seedQuote } from '../account/seed-quote.ts'
import { createVault } from '../../../relayer/identity/create-vault.ts'
import { hpkeKeys, tokenKeys } from '../../../relayer/identity/key-kinds.ts'
import { createKeyWrapper } from '../../../relayer/identity/key-wrapper.ts'
import { cashPayeeOwner } from '../../../relayer/identity/vault.ts'
import { rewrapSecrets } from '../../../relayer/identity/rewrap-secrets.ts'
import { openServerKeys } from '../../../relayer/identity/server-keys.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import {
  addAccount,
  openInstance,
  sealedRow,
  TEST_MASTER_KEY,
  textRow,
  type Instance,
} from './open-instance.ts'
import { createWallet } from './wallet.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

/** Every row of every table as text, bytes in hex, as a copy of the database shows it. */
async function dumpDatabase(): Promise<string> {
  const tables = await database.pool.any(sql.type(textRow)`
    select table_name::text as text from information_schema.tables where table_schema = 'public'`)
  const rows: string[] = []
  for (const { text: table } of tables) {
    const found = await database.pool.any(sql.type(textRow)`
      select row_to_json(t)::text as text from ${sql.identifier([table])} t`)
    rows.push(...found.map(({ text }) => text))
  }
  return rows.join('\n')
}

/** The forms in which bytes may stand in a dump. */
const formsOf = (secret: Uint8Array) => {
  const bytes = Buffer.from(secret)
  return [
    bytes.toString('hex'),
    bytes.toString('base64').slice(0, -4),
    bytes.toString('base64url').slice(0, -2),
  ]
}

async function openPrivateKeys({ vault }: Instance): Promise<Buffer[]> {
  const parts = { database: database.pool, vault, overlapSeconds: 600 }
  const [token, hpke] = [await openServerKeys(tokenKeys, parts), await openServerKeys(hpkeKeys, parts)]
  const { d } = (await token.current()).privateKey.export({ format: 'jwk' })
  return [Buffer.from(d ?? '', 'base64url'), (await hpke.current()).privateKey]
}

it('a copy of the database holds no key, token, nonce secret or API key in any form', async () => {
  const instance = await openInstance(database)
  const wallet = createWallet()
  const childViewKey = Buffer.from(wallet.material.child_p_view.slice(2), 'hex')
  await addAccount(database, instance.vault, wallet)
  const token = await instance.signIn(wallet)
  const dump = (await dumpDatabase()).toLowerCase()
  // The dump does show stored values: the search below would find a key.
  expect(dump).toContain(wallet.address.toLowerCase())
  const secrets = [childViewKey, TEST_MASTER_KEY, ...(await openPrivateKeys(instance))]
  for (const secret of secrets) {
    expect(secret).toHaveLength(32)
    for (const form of formsOf(secret)) expect(dump).not.toContain(form.toLowerCase())
  }
  expect(dump).not.toContain(token.split('.')[2]?.toLowerCase())
})

it('rows that were swapped between accounts cannot be decrypted', async () => {
  const { vault } = await openInstance(database)
  const [one, other] = [createWallet(), createWallet()]
  const ids = [await addAccount(database, vault, one), await addAccount(database, vault, other)] as const
  const read = async (id: string) => {
    const row = await database.pool.one(sql.type(sealedRow)`
      select sealed_keys as bytes, master_key_id as "masterKeyId" from account where id = ${id}`)
    return vault.open(id, row)
  }
  expect(Buffer.from(await read(ids[0])).toString('hex', 0, 32)).toBe(one.material.child_p_view.slice(2))
  await database.pool.query(sql.typeAlias('void')`
    update account set sealed_keys = other.sealed_keys from account as other
    where account.id in (${ids[0]}, ${ids[1]}) and other.id in (${ids[0]}, ${ids[1]}) and account.id <> other.id`)
  for (const id of ids) await expect(read(id)).rejects.toThrow(/another owner/)
})

it('a server key in the place of another cannot be decrypted', async () => {
  const own = await openTestDatabase()
  try {
    await openInstance(own)
    await own.pool.query(sql.typeAlias('void')`
      update server_key set sealed_key = other.sealed_key from server_key as other
      where server_key.purpose = 'token' and other.purpose = 'hpke'`)
    await expect(openInstance(own)).rejects.toThrow(/another owner/)
  } finally {
    await own.drop()
  }
})

it('re-wrapping brings everything under the newest key, in batches, and names undecryptable rows', async () => {
  const own = await openTestDatabase()
  try {
    const instance = await openInstance(own)
    const wallets = Array.from({ length: 120 }, () => createWallet())
    const ids = await Promise.all(wallets.map((wallet) => addAccount(own, instance.vault, wallet)))
    const broken = ids[60] ?? ''
    const seller = ids[0] ?? ''
    const quoteId = await seedQuote(own.pool, seller)
    const handle = await instance.vault.seal(cashPayeeOwner(seller), Buffer.from('a-handle'))
    await insertCashPayee(own.pool, { quoteId, accountId: seller }, { ...handle, toldCashOuts: 0 })
    await own.pool.query(sql.typeAlias('void')`
      update account set sealed_keys = set_byte(sealed_keys, 9, get_byte(sealed_keys, 9) # 1) where id = ${broken}`)
    const newest = randomBytes(32)
    const [newer, older] = [createKeyWrapper(newest), createKeyWrapper(TEST_MASTER_KEY)]
    const results = await rewrapSecrets(own.pool, createVault([newer, older]), newer.id)
    expect(results).toMatchObject([
      { place: 'account', rewrapped: 119, failed: [{ key: broken }] },
      { place: 'contact-email', rewrapped: 0, failed: [] },
      { place: 'pool-book', rewrapped: 0, failed: [] },
      { place: 'pool-spend', rewrapped: 0, failed: [] },
      { place: 'cash-payee', rewrapped: 1, failed: [] },
      { place: 'server-key', rewrapped: 2, failed: [] },
      { place: 'api-key', rewrapped: 0, failed: [] },
    ])
    const alone = await openInstance(own, { masterKeys: [newest] })
    for (const [index, id] of ids.entries()) {
      if (id === broken) continue
      const row = await own.pool.one(sql.type(sealedRow)`
        select sealed_keys as bytes, master_key_id as "masterKeyId" from account where id = ${id}`)
      const opened = Buffer.from(await alone.vault.open(id, row)).toString('hex', 0, 32)
      expect(opened).toBe(wallets[index]?.material.child_p_view.slice(2))
    }
    const payee = await findCashPayee(own.pool, seller, quoteId)
    expect(payee?.masterKeyId).toBe(newer.id)
    const opened = await alone.vault.open(cashPayeeOwner(seller), payee!)
    expect(Buffer.from(opened).toString()).toBe('a-handle')
    // The same token keys as before: who was signed in still is.
    const token = await instance.signIn(createWallet())
    expect(await alone.identity.authenticate(token)).not.toBe(null)
    expect(await rewrapSecrets(own.pool, createVault([newer, older]), newer.id)).toMatchObject([
      { rewrapped: 0, failed: [{ key: broken }] },
      { rewrapped: 0 },
      { rewrapped: 0 },
      { rewrapped: 0 },
      { rewrapped: 0 },
      { rewrapped: 0 },
      { rewrapped: 0 },
    ])
  } finally {
    await own.drop()
  }
})
