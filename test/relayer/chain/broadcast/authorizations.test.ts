import { parseGwei, parseTransaction, toHex, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { eventually, startBroadcastWorld, type World } from './start-broadcast-world.ts'
import { CHAIN_ID, signerAddress } from './start-engine.ts'

let world: World
afterEach(() => world.stop())

const never = new AbortController().signal
const implementation = '0x3000000000000000000000000000000000000003'

/** An account that has never sent anything, and its delegation. */
async function authorize() {
  const account = privateKeyToAccount(generatePrivateKey())
  const { r, s, yParity } = await account.signAuthorization({
    contractAddress: implementation,
    chainId: CHAIN_ID,
    nonce: 0,
  })
  const signature: Hex = `0x${r.slice(2)}${s.slice(2)}${yParity === 0 ? '1b' : '1c'}`
  const authorization = {
    contractAddress: implementation,
    chainId: CHAIN_ID,
    authorizationNonce: 0,
    signature,
  } as const
  return { address: account.address, authorization }
}

const codeOf = (address: string) => world.node.ask<Hex>('eth_getCode', address, 'latest')
const rawAttempts = async () => {
  const row = z.object({ raw: z.instanceof(Uint8Array).nullable() })
  const rows = await world.pool.any(sql.type(row)`select raw from outbound_attempt order by created_at`)
  return rows.map(({ raw }) => raw && parseTransaction(toHex(raw)))
}
const storedAuthorizations = () =>
  world.pool.any(
    sql.type(
      z.object({ count: z.int().nullable() }),
    )`select jsonb_array_length(authorizations) as count from outbound_tx order by position`,
  )

test('delegations travel with every form of their transaction, and are erased with its calldata', async () => {
  world = await startBroadcastWorld({
    signers: 1,
    args: ['--no-mining', '--block-base-fee-per-gas', '1000000000'],
  })
  const engine = await world.startEngine({
    config: { bumpAfterMs: 300, maxBumps: 3, resendAfterMs: 300, retainMs: 0 },
  })
  const delegations = [await authorize(), await authorize()]
  const authorizations = delegations.map(({ authorization }) => authorization)
  const [id] = await world.enqueue(engine, 1, { authorizations, gasLimit: 120_000n })
  await world.enqueue(engine, 1, {}, 1)
  await engine.waitUntilSent(id ?? '', never)
  expect((await storedAuthorizations()).map(({ count }) => count)).toEqual([2, null])

  // The base fee rises above the first offers, so both are offered again at a higher price.
  await world.node.ask('anvil_setNextBlockBaseFeePerGas', toHex(parseGwei('20')))
  await world.node.ask('evm_mine')
  const forms = await eventually(
    async () => (await rawAttempts()).filter((form) => form !== null),
    (list) => list.filter(({ maxFeePerGas = 0n }) => maxFeePerGas > parseGwei('20')).length >= 2,
  )
  const carrying = forms.filter(({ nonce }) => !nonce)
  expect(carrying.length).toBeGreaterThanOrEqual(2)
  expect(new Set(carrying.map(({ maxFeePerGas }) => maxFeePerGas)).size).toBe(carrying.length)
  for (const form of carrying) {
    expect(form.type).toBe('eip7702')
    expect(form.authorizationList).toEqual(carrying[0]?.authorizationList)
    expect(form.authorizationList).toHaveLength(2)
  }
  for (const form of forms.filter(({ nonce }) => nonce === 1)) expect(form.type).toBe('eip1559')

  const mining = setInterval(() => void world.node.ask('evm_mine').catch(() => undefined), 200)
  try {
    const booked = await world.settled(2)
    expect(booked.map(({ status }) => status)).toEqual(['confirmed', 'confirmed'])
    for (const { address } of delegations)
      expect(await codeOf(address)).toBe(`0xef0100${implementation.slice(2)}`)
    await eventually(storedAuthorizations, (rows) => rows.every(({ count }) => count === null))
    await eventually(rawAttempts, (list) => list.every((form) => form === null))
  } finally {
    clearInterval(mining)
  }
  expect(await world.minedFrom(0)).toHaveLength(2)
})

test('a transaction that gave up its nonce keeps its delegations', async () => {
  world = await startBroadcastWorld({ signers: 1 })
  const { address, authorization } = await authorize()
  const engine = await world.startEngine({ config: { resendAfterMs: 60_000, leaseMs: 60_000 } })
  // The engine does not know yet that its signer cannot pay: a node refuses, and the transaction is queued again.
  await world.node.ask('anvil_setBalance', signerAddress(0), '0x1')
  await world.enqueue(engine, 1, { authorizations: [authorization], gasLimit: 90_000n })
  const row = z.object({ status: z.string(), delivery: z.string() })
  await eventually(
    () =>
      world.pool.any(sql.type(row)`
        select status, delivery from outbound_tx join outbound_attempt on outbound_id = outbound_tx.id`),
    (rows) => rows.some(({ status, delivery }) => status === 'queued' && delivery === 'refused'),
  )
  expect((await storedAuthorizations()).map(({ count }) => count)).toEqual([1])
  await world.node.ask('anvil_setBalance', signerAddress(0), toHex(10n ** 19n))
  await world.node.ask('anvil_mine', '0x1')
  const booked = await world.settled(1)
  expect(booked).toMatchObject([{ status: 'confirmed' }])
  expect(await codeOf(address)).toBe(`0xef0100${implementation.slice(2)}`)
})
