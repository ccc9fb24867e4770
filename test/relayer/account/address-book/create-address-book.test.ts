import { randomUUID } from 'node:crypto'
import { getAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { writeContact } from '../../../../db/account/address-book/contacts.ts'
import type { AddressBook } from '../../../../relayer/account/address-book/address-book.ts'
import { contactMessage } from '../../../../relayer/account/address-book/contact-message.ts'
import { createAddressBook } from '../../../../relayer/account/address-book/create-address-book.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { submitPlainly } from '../../transact/submissions/submit-plainly.ts'
import { seedAccount, type TestAccount } from '../seed-account.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

let database: TestDatabase
let book: AddressBook
let account: TestAccount
beforeAll(async () => {
  database = await openTestDatabase()
  book = createAddressBook(database.pool, { owns: async () => false })
})
beforeEach(async () => {
  account = await seedAccount(database.pool)
})
afterAll(() => database.drop())

const someone = () => privateKeyToAddress(generatePrivateKey())
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

/** A contact signed by a client of the account; `change` alters it after signing. */
async function signed(
  contact: { address?: Address; name?: string; issuedAt?: string },
  signer: Pick<TestAccount, 'accountId' | 'spender'> = account,
) {
  const { address = someone(), name = 'Alice', issuedAt = ago(SECOND) } = contact
  const message = contactMessage({ accountId: signer.accountId, address, name, issuedAt })
  return { address, name, issuedAt, signature: await signer.spender.signMessage({ message }) }
}
const save = (contact: Awaited<ReturnType<typeof signed>>, accountId = account.accountId) =>
  book.save(accountId, contact)
const refused = (code: string) => ({ kind: 'bad-request', code })

describe('a contact', () => {
  it('is saved on a signature of the spending key, renamed, and deleted', async () => {
    const address = someone()
    const saved = await save(await signed({ address, issuedAt: ago(5 * SECOND) }))
    expect(saved).toEqual({
      address,
      name: 'Alice',
      lastUsedAt: null,
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    })
    const renamed = await save(await signed({ address, name: 'Álice 👩‍🚀' }))
    expect(renamed).toMatchObject({ name: 'Álice 👩‍🚀', createdAt: saved.createdAt })
    expect(await book.list(account.accountId)).toEqual([renamed])
    expect(await book.remove(account.accountId, address)).toBe(true)
    expect(await book.remove(account.accountId, address)).toBe(false)
    expect(await book.list(account.accountId)).toEqual([])
  })

  it('is saved once when the same request is repeated', async () => {
    const contact = await signed({})
    const [first, second] = [await save(contact), await save(contact)]
    expect(second).toEqual(first)
  })

  it('is in the book of its own account only', async () => {
    const other = await seedAccount(database.pool)
    const { address } = await save(await signed({}))
    expect(await book.list(other.accountId)).toEqual([])
    expect(await book.remove(other.accountId, address)).toBe(false)
    expect(await book.list(account.accountId)).toHaveLength(1)
  })

  it('moves to the top of the list when it is paid', async () => {
    const addresses = [someone(), someone(), someone()]
    for (const address of addresses) await save(await signed({ address }))
    const [oldest, middle, newest] = addresses
    const order = async () => (await book.list(account.accountId)).map(({ address }) => address)
    expect(await order()).toEqual([newest, middle, oldest])
    const pay = (recipient: string) =>
      submitPlainly(database.pool, { accountId: account.accountId, recipient })
    await pay(middle!)
    await pay(oldest!)
    await pay(someone())
    expect(await order()).toEqual([oldest, middle, newest])
  })

  it('is limited to a thousand per account, also for simultaneous requests', async () => {
    await save(await signed({}))
    for (let index = 0; index < 998; index++)
      await writeContact(database.pool, account.accountId, {
        address: getAddress(`0x${index.toString(16).padStart(40, '0')}`),
        name: 'n',
        signedAt: new Date(),
      })
    const contacts = await Promise.all(Array.from({ length: 4 }, () => signed({})))
    const outcomes = await Promise.allSettled(contacts.map((contact) => save(contact)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(refused('ADDRESS_BOOK_FULL'))
    const [known] = await book.list(account.accountId)
    expect(await save(await signed({ address: known!.address, name: 'Renamed' }))).toMatchObject({
      name: 'Renamed',
    })
  })
})

describe('a signature', () => {
  it.each([
    ['another name', { name: 'Mallory' }],
    ['another address', { address: privateKeyToAddress(`0x${'11'.repeat(32)}`) }],
    ['another time', { issuedAt: ago(2 * SECOND) }],
    ['nothing', { signature: '0x' }],
    ['zeros', { signature: `0x${'00'.repeat(65)}` }],
    ['much', { signature: `0x${'ab'.repeat(4_000)}` }],
  ] as const)('over %s saves nothing', async (_, change) => {
    await expect(save({ ...(await signed({})), ...change })).rejects.toMatchObject(
      refused('CONTACT_SIGNATURE_INVALID'),
    )
    expect(await book.list(account.accountId)).toEqual([])
  })

  it('of another key, or for another account, saves nothing', async () => {
    const other = await seedAccount(database.pool)
    const stranger = privateKeyToAccount(generatePrivateKey())
    const byStranger = await signed({}, { accountId: account.accountId, spender: stranger })
    const forOther = await signed({}, { accountId: other.accountId, spender: account.spender })
    const ofOther = await signed({}, other)
    for (const contact of [byStranger, forOther, ofOther])
      await expect(save(contact)).rejects.toMatchObject(refused('CONTACT_SIGNATURE_INVALID'))
  })

  it('is valid for ten minutes, and from clocks that are slightly ahead', async () => {
    await save(await signed({ issuedAt: ago(9 * MINUTE) }))
    await save(await signed({ issuedAt: ago(-30 * SECOND) }))
    for (const issuedAt of [ago(11 * MINUTE), ago(-2 * MINUTE), '1970-01-01T00:00:00Z', 'yesterday'])
      await expect(save(await signed({ issuedAt }))).rejects.toMatchObject(
        refused('CONTACT_SIGNATURE_EXPIRED'),
      )
  })

  it('does not restore an older name, in any order of arrival', async () => {
    const address = someone()
    const older = await signed({ address, name: 'Older', issuedAt: ago(20 * SECOND) })
    const sameTime = await signed({ address, name: 'Same time', issuedAt: ago(10 * SECOND) })
    const newer = { ...sameTime, ...(await signed({ ...sameTime, name: 'Newer' })) }
    await save(newer)
    for (const replayed of [older, sameTime])
      await expect(save(replayed)).rejects.toMatchObject(refused('CONTACT_SIGNATURE_OUTDATED'))
    expect(await book.list(account.accountId)).toMatchObject([{ name: 'Newer' }])
  })

  it('does not restore a deleted contact, nor does an older one', async () => {
    const address = someone()
    const first = await signed({ address, issuedAt: ago(20 * SECOND) })
    const second = await signed({ address, issuedAt: ago(10 * SECOND) })
    await save(first)
    await save(second)
    await book.remove(account.accountId, address)
    for (const replayed of [first, second])
      await expect(save(replayed)).rejects.toMatchObject(refused('CONTACT_SIGNATURE_OUTDATED'))
    expect(await save(await signed({ address }))).toMatchObject({ address })
  })

  it('of several that arrive together only the newest takes effect', async () => {
    const address = someone()
    const contacts = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        signed({ address, name: `Name ${index}`, issuedAt: ago(20 * SECOND - index * SECOND) }),
      ),
    )
    await Promise.allSettled(contacts.map((contact) => save(contact)))
    expect(await book.list(account.accountId)).toMatchObject([{ name: 'Name 7' }])
  })

  it('may run beside a deletion without a deadlock', async () => {
    const address = someone()
    for (let round = 0; round < 8; round++) {
      const contact = await signed({ address, issuedAt: ago(20 * SECOND - round * SECOND) })
      await Promise.all([save(contact), book.remove(account.accountId, address)])
    }
  })
})

it('a deletion leaves no trace of the contact', async () => {
  const address = someone()
  await save(await signed({ address, name: 'Nobody’s business' }))
  await book.remove(account.accountId, address)
  const kept = await database.pool.any(sql.type(z.object({ row: z.string() }))`
    select address_book::text as row from address_book where account_id = ${account.accountId}
    union all select contact::text from contact where account_id = ${account.accountId}`)
  expect(kept).toHaveLength(1)
  expect(kept[0]!.row.toLowerCase()).not.toContain(address.slice(2).toLowerCase())
})

it('a deleted account is reported as not found', async () => {
  const gone = { ...account, accountId: randomUUID() }
  await expect(save(await signed({}, gone), gone.accountId)).rejects.toMatchObject({ kind: 'forbidden' })
})
