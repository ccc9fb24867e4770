import { createHash, randomUUID } from 'node:crypto'
import { encodeFunctionData, erc20Abi, getAddress, slice, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../../db/connect-database.ts'
import { writeMissingAddresses } from '../../../../db/account/addresses/stealth-addresses.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { seedAccount } from '../../account/seed-account.ts'
import { matchKnown } from '../../../../relayer/transact/safety/check-recipient.ts'

const chainId = 7
const somebody = () => privateKeyToAddress(generatePrivateKey())
const hashOf = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`
const run = sql.typeAlias('void')

let database: TestDatabase
let accountId: string
let own: Address
beforeAll(async () => {
  database = await openTestDatabase()
  accountId = (await seedAccount(database.pool)).accountId
  own = somebody()
  await writeMissingAddresses(database.pool, { accountId, first: 0n, addresses: [own] })
})
afterAll(() => database?.drop())

/** An address with exactly this many hexadecimal digits of another at its beginning and its end. */
function imitate(address: Address, prefix: number, suffix: number): Address {
  const digits = address.slice(2).toLowerCase().split('')
  const made = digits.map((digit, place) =>
    place < prefix || place >= 40 - suffix ? digit : (Number.parseInt(digit, 16) ^ 1).toString(16),
  )
  return getAddress(`0x${made.join('')}`)
}

let position = 0
/** @param signedTo The recipient that the transaction names in its call of the token. */
async function transfer(
  from: Address,
  to: Address,
  { amount = 1n, sender = somebody(), signedTo = to } = {},
) {
  position += 1
  const token = somebody()
  const input = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [signedTo, amount] })
  const txHash = hashOf(`tx ${position}`)
  await database.pool.query(run`
    insert into transfer (chain_id, block_hash, source, position, block_number, block_time, tx_hash, standard, token,
      from_address, to_address, amount)
    values (${chainId}, ${hashOf('block')}, 'log', ${position}, 5, now(), ${txHash}, 'erc20', ${token}, ${from}, ${to},
      ${amount})`)
  await database.pool.query(run`
    insert into indexed_tx (chain_id, tx_hash, block_hash, block_number, block_time, tx_index, from_address, to_address,
      tx_nonce, value, succeeded, gas_used, fee, selector, input)
    values (${chainId}, ${txHash}, ${hashOf('block')}, 5, now(), ${position}, ${sender}, ${token}, 0, 0, true, 21000, 1,
      ${slice(input, 0, 4)}, ${input})`)
}

const match = (address: Address) => matchKnown({ database: database.pool }, accountId, address)
const imitated = async (address: Address) => {
  const { poisoning } = await match(address)
  return poisoning && { address: poisoning.known.address, source: poisoning.known.source }
}

/** Ways for an address to become known; each gives the source that a warning about an imitation names. */
const sources: Record<
  string,
  (address: Address) => Promise<'own_address' | 'address_book' | 'counterparty'>
> = {
  'an own address': async (address) => {
    await writeMissingAddresses(database.pool, { accountId, first: nonce(), addresses: [address] })
    return 'own_address'
  },
  'a contact': async (address) => {
    await database.pool.query(run`
      insert into address_book (account_id) values (${accountId}) on conflict do nothing`)
    await database.pool.query(run`
      insert into contact (account_id, address, name, signed_at) values (${accountId}, ${address}, 'Alice', now())`)
    return 'address_book'
  },
  'whom a quote paid': async (address) => {
    await database.pool.query(run`
      insert into quote (id, account_id, kind, status, ended_at, chain_id, token, amount, recipient, terms, network_fee,
        service_fee, fee_waived, gas_cost, expires_at)
      values (${randomUUID()}, ${accountId}, 'send', 'confirmed', now(), ${chainId}, ${somebody()}, 5, ${address}, '{}', 0, 0,
        true, 0, now())`)
    return 'counterparty'
  },
  'whom an own transaction paid': async (address) => {
    await transfer(own, address, { sender: own })
    return 'counterparty'
  },
  'a payer': async (address) => {
    await transfer(address, own)
    return 'counterparty'
  },
}
let lastNonce = 0n
const nonce = () => (lastNonce += 1n)

describe.each(Object.entries(sources))('%s', (_, become) => {
  test('is imitated by an address that begins and ends like it, or shares nine digits at both ends together', async () => {
    const known = somebody()
    const source = await become(known)
    for (const [prefix, suffix] of [
      [3, 3],
      [4, 7],
      [7, 2],
      [8, 1],
      [9, 0],
      [2, 7],
      [1, 8],
      [0, 9],
    ] as const)
      expect([prefix, suffix, await imitated(imitate(known, prefix, suffix))]).toEqual([
        prefix,
        suffix,
        { address: known, source },
      ])
    for (const [prefix, suffix] of [
      [2, 6],
      [6, 2],
      [0, 8],
      [8, 0],
    ] as const)
      expect([prefix, suffix, await imitated(imitate(known, prefix, suffix))]).toEqual([prefix, suffix, null])
    // No other account learns of it.
    const { accountId: stranger } = await seedAccount(database.pool)
    expect(await matchKnown({ database: database.pool }, stranger, imitate(known, 6, 6))).toEqual({
      owned: false,
      poisoning: null,
    })
  })
})

test('of the account is owned, however it is spelt', async () => {
  expect(await match(own)).toEqual({ owned: true, poisoning: null })
  expect((await match(own.toLowerCase() as Address)).owned).toBe(true)
  const { accountId: other } = await seedAccount(database.pool)
  expect((await matchKnown({ database: database.pool }, other, own)).owned).toBe(false)
})

test('an address that is like another imitates none once it was paid', async () => {
  const known = somebody()
  await transfer(known, own)
  const alike = imitate(known, 5, 5)
  expect(await imitated(alike)).toMatchObject({ address: known })
  await transfer(own, alike, { sender: own })
  expect(await imitated(alike)).toBeNull()
})

test('an address that only a log of an own transaction names as paid is imitated, and may imitate', async () => {
  const known = somebody()
  await transfer(known, own)
  const [alike, logged] = [imitate(known, 5, 5), somebody()]
  for (const to of [alike, logged]) await transfer(own, to, { sender: own, signedTo: somebody() })
  expect(await imitated(alike)).toMatchObject({ address: known })
  expect(await imitated(imitate(logged, 5, 5))).toEqual({ address: logged, source: 'counterparty' })
})

test('a transfer of nothing, one that others logged, and one that a reorg took away make no address known', async () => {
  const [nothing, logged, gone] = [somebody(), somebody(), somebody()]
  await transfer(nothing, own, { amount: 0n })
  await transfer(own, logged)
  await transfer(gone, own)
  expect(await imitated(imitate(gone, 5, 5))).toMatchObject({ address: gone })
  await database.pool.query(run`delete from transfer where from_address = ${gone}`)
  for (const address of [nothing, logged, gone]) expect(await imitated(imitate(address, 5, 5))).toBeNull()
})

test('the payer of an address from before the account had it is known', async () => {
  const [late, payer, neighbour] = [somebody(), somebody(), somebody()]
  const { accountId: other } = await seedAccount(database.pool)
  await writeMissingAddresses(database.pool, { accountId: other, first: 0n, addresses: [neighbour] })
  await transfer(neighbour, late)
  await transfer(payer, late)
  expect(await imitated(imitate(payer, 5, 5))).toBeNull()
  await writeMissingAddresses(database.pool, { accountId, first: nonce(), addresses: [late] })
  expect(await imitated(imitate(payer, 5, 5))).toEqual({ address: payer, source: 'counterparty' })
  expect(await imitated(imitate(neighbour, 5, 5))).toMatchObject({ address: neighbour })
})
