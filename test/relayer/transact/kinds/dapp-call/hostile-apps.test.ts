import { concatHex, createTestClient, getAddress, http, parseEther, toEventSelector, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { findAppOfAddress, isAppTaken, recordDappUse } from '../../../../../db/account/addresses/dapp-uses.ts'
import { sql } from '../../../../../db/connect-database.ts'
import { waitUntilIndexed } from '../../../../harness/chain-actors.ts'
import type { Client } from '../../../../../schema/client/account/open-client.ts'
import { signUnchecked, submitUnchecked } from '../../../../harness/sign-unchecked.ts'
import { sanction } from '../swap/cross-chain/start-bridge-world.ts'
import { ORIGIN, somebody, startAppWorld, type AppWorld } from './start-app-world.ts'

let world: AppWorld
let { service, payer, open, connect, openConnected, ask } = {} as AppWorld
let client: Client

beforeAll(async () => {
  world = await startAppWorld()
  ;({ service, payer, open, connect, openConnected, ask } = world)
  client = await open()
})
afterAll(() => world?.service.stop())

test('a call of an app makes no address known: neither the called one, nor one that a contract claims to have paid', async () => {
  const { owner, address } = await openConnected(ORIGIN)
  const imitate = (middle: string) =>
    getAddress(`0x${address.slice(2, 8)}${middle.repeat(28)}${address.slice(-6)}`.toLowerCase())
  const [called, logged] = [imitate('1'), imitate('2')]
  const liar = somebody()
  const topic = toEventSelector('Transfer(address,address,uint256)')
  const control = createTestClient({ mode: 'anvil', transport: http(payer.chain.rpcUrl) })
  // Logs a transfer of 1 from its caller to the imitation.
  await control.setCode({
    address: liar,
    bytecode: concatHex(['0x600160005273', logged, '0x337f', topic, '0x60206000a300']),
  })
  await submitUnchecked(owner, await ask(owner, address, { calls: [{ to: called }, { to: liar }] }))
  await waitUntilIndexed(service, payer)
  for (const destinationAddress of [called, logged])
    await expect(
      owner.ask('POST', `/v1/accounts/${owner.accountId}/quote`, {
        type: 'send',
        chainId: payer.chain.chainId,
        token: zeroAddress,
        amount: '1',
        destinationAddress,
      }),
    ).rejects.toThrow('ADDRESS_POISONING_MATCH')
})

test('a call of an app is refused when one of its targets is not served any more', async () => {
  const { owner, address } = await openConnected(ORIGIN)
  const bad = somebody()
  const quote = await ask(owner, address, {
    calls: [
      { to: somebody(), value: '1' },
      { to: bad, value: '1' },
    ],
  })
  await sanction(payer, bad)
  await expect(submitUnchecked(owner, quote)).rejects.toThrow('QUOTE_REFRESH_REQUIRED')
})

test('of two apps that ask for one address at the same time, one gets it', async () => {
  const owner = client
  const { address } = await owner.receive()
  const { pool } = service.database
  const record = (origin: string) => recordDappUse(pool, { accountId: owner.accountId, address, origin })
  const ended = await Promise.allSettled([record('https://third.example'), record('https://fourth.example')])
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const failed = ended.find((one) => one.status === 'rejected')
  expect(isAppTaken(failed?.reason)).toBe(true)
  const app = await findAppOfAddress(pool, owner.accountId, address)
  await record(app ?? '')
  await expect(record('https://fifth.example')).rejects.toSatisfy(isAppTaken)
})

test('calls that fail only on chain cost the gas budget, from the submission on', async () => {
  const { address } = await connect(client, ORIGIN)
  await payer.payNative(address, parseEther('1'))
  await waitUntilIndexed(service, payer)
  const control = createTestClient({ mode: 'anvil', transport: http(payer.chain.rpcUrl) })
  const contract = somebody()
  await control.setCode({ address: contract, bytecode: '0x00' })
  const quote = await ask(client, address, { calls: [{ to: contract, data: '0x01' }] })
  const sum = (table: 'gas_lost' | 'gas_at_risk') =>
    service.database.pool.oneFirst(sql.type(z.object({ gas: z.bigint() }))`
      select coalesce(sum(gas), 0) as gas from ${sql.identifier([table])}`)
  const lost = await sum('gas_lost')
  await control.setAutomine(false)
  try {
    await client.ask('POST', `/v1/accounts/${client.accountId}/submit`, await signUnchecked(client, quote))
    expect(await sum('gas_at_risk')).toBeGreaterThan(0n)
    await expect.poll(() => control.getTxpoolStatus().then(({ pending }) => pending)).toBe(1)
    await control.setCode({ address: contract, bytecode: '0x60006000fd' })
  } finally {
    await control.setAutomine(true)
    await control.mine({ blocks: 1 })
  }
  await expect.poll(() => sum('gas_lost')).toBeGreaterThan(lost)
  await expect.poll(() => sum('gas_at_risk')).toBe(0n)
})
