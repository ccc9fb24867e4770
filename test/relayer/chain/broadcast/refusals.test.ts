import { parseEther, parseGwei, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { countRpc } from '../../../harness/count-rpc.ts'
import { findFreePort } from '../../../harness/find-free-port.ts'
import { eventually, startBroadcastWorld, type World } from './start-broadcast-world.ts'
import { CHAIN_ID, signerAddress, signerKey } from './start-engine.ts'

let world: World
afterEach(() => world.stop())

const never = new AbortController().signal

test('a transaction that no node accepts is abandoned with the reason, and a filler uses its nonce', async () => {
  world = await startBroadcastWorld({ signers: 1, args: ['--no-mining'] })
  const engine = await world.startEngine()
  const ids = await world.pool.transaction(async (transaction) => {
    const queued = []
    for (const [index, gasLimit] of [50_000n, 20_000n, 50_000n, 50_000n].entries())
      queued.push(
        await engine.enqueue(transaction, {
          chainId: CHAIN_ID,
          kind: 'test',
          reference: String(index),
          to: signerAddress(9),
          data: '0x',
          value: 0n,
          gasLimit,
        }),
      )
    return queued
  })
  engine.wake(CHAIN_ID)
  expect(await engine.waitUntilSent(ids[1] ?? '', never)).toEqual({
    status: 'abandoned',
    reason: 'intrinsic gas too low',
  })
  expect(await engine.waitUntilSent(ids[3] ?? '', never)).toMatchObject({ status: 'sent' })
  await world.node.ask('evm_setAutomine', true)
  await world.node.ask('evm_mine')
  const booked = await world.settled(4)
  expect(booked.map(({ status }) => status)).toEqual(['confirmed', 'abandoned', 'confirmed', 'confirmed'])
  const mined = await world.minedFrom(0)
  expect(mined.map(({ nonce }) => nonce)).toEqual([0, 1, 2, 3])
  expect(mined[1]).toMatchObject({ to: signerAddress(0).toLowerCase(), input: '0x' })
})

test('the nonce of a refused transaction is reused when it was the highest', async () => {
  world = await startBroadcastWorld({ signers: 1 })
  const engine = await world.startEngine()
  const [refused] = await world.enqueue(engine, 1, { gasLimit: 20_000n })
  expect(await engine.waitUntilSent(refused ?? '', never)).toMatchObject({ status: 'abandoned' })
  await world.enqueue(engine, 1, {}, 1)
  await world.settled(2)
  const mined = await world.minedFrom(0)
  expect(mined.map(({ nonce, input }) => [nonce, BigInt(input)])).toEqual([[0, 1n]])
})

test('a signer without funds pauses while others send, and continues when it is funded', async () => {
  world = await startBroadcastWorld({ signers: 2 })
  await world.node.ask('anvil_setBalance', signerAddress(0), '0x1')
  const engine = await world.startEngine()
  await world.enqueue(engine, 6)
  await world.settled(6)
  expect(await world.nonceOf(0)).toBe(0)
  expect(await world.nonceOf(1)).toBe(6)
  const status = () => engine.signers().find(({ address }) => address === signerAddress(0))
  expect(status()).toMatchObject({ balance: 1n, paused: true, runway: 0 })
  expect(engine.simulationSender(CHAIN_ID, 'sends')).toBe(signerAddress(1))

  await world.node.ask('anvil_setBalance', signerAddress(1), '0x1')
  await eventually(
    async () => engine.simulationSender(CHAIN_ID, 'sends'),
    (sender) => sender === null,
  )
  await world.enqueue(engine, 1, {}, 6)
  expect(await engine.pending(CHAIN_ID)).toBe(1)
  await world.node.ask('anvil_setBalance', signerAddress(0), toHex(parseEther('1')))
  await world.settled(7)
  expect(await world.nonceOf(0)).toBe(1)
  expect(status()).toMatchObject({ paused: false })
})

test("when a signer's money left unnoticed and the node refuses, another signer sends the transaction", async () => {
  world = await startBroadcastWorld({ signers: 2, args: ['--no-mining'] })
  const engine = await world.startEngine({ config: { resendAfterMs: 60_000, leaseMs: 60_000 } })
  await world.node.ask('anvil_setBalance', signerAddress(0), '0x1')
  await world.node.ask('anvil_setBalance', signerAddress(1), toHex(parseEther('5')))
  const ids = await world.enqueue(engine, 2)
  await Promise.all(ids.map((id) => engine.waitUntilSent(id, never)))
  await world.node.ask('evm_mine')
  const booked = await world.settled(2)
  expect(booked.map(({ status }) => status)).toEqual(['confirmed', 'confirmed'])
  expect(await world.nonceOf(0)).toBe(0)
  expect(await world.nonceOf(1)).toBe(2)
})

/** Sends a transaction from the first signer without the engine, at the highest price. */
async function sendBehindItsBack(nonce: number): Promise<void> {
  const account = privateKeyToAccount(signerKey(0))
  const raw = await account.signTransaction({
    chainId: CHAIN_ID,
    nonce,
    to: account.address,
    gas: 21_000n,
    maxFeePerGas: parseGwei('100'),
    maxPriorityFeePerGas: parseGwei('100'),
  })
  await world.node.ask('eth_sendRawTransaction', raw)
}

// An engine that polls so rarely that the nonces it knows are out of date.
const BLIND = { pollIntervalMs: 2_000, config: { resendAfterMs: 60_000, leaseMs: 60_000 } }

test("when another program used a signer's account, its transactions get new nonces and go through", async () => {
  world = await startBroadcastWorld({ signers: 1 })
  const engine = await world.startEngine(BLIND)
  await sendBehindItsBack(0)
  await sendBehindItsBack(1)
  await world.enqueue(engine, 3)
  const booked = await world.settled(3)
  expect(booked.map(({ status }) => status)).toEqual(['confirmed', 'confirmed', 'confirmed'])
  const ours = (await world.minedFrom(0)).filter(({ input }) => input !== '0x')
  expect(ours.map(({ nonce }) => nonce)).toEqual([2, 3, 4])
  expect(new Set(ours.map(({ input }) => BigInt(input)))).toEqual(new Set([0n, 1n, 2n]))
})

test("when another program's transaction takes a nonce, ours gets another", async () => {
  world = await startBroadcastWorld({ signers: 1, args: ['--no-mining'] })
  const engine = await world.startEngine(BLIND)
  await sendBehindItsBack(0)
  const [outbid, next] = await world.enqueue(engine, 2)
  expect(await engine.waitUntilSent(next ?? '', never)).toMatchObject({ status: 'sent' })
  await world.node.ask('evm_mine')
  expect(await engine.waitUntilSent(outbid ?? '', never)).toMatchObject({ status: 'sent' })
  await world.node.ask('evm_mine')
  const booked = await world.settled(2)
  expect(booked.map(({ status }) => status)).toEqual(['confirmed', 'confirmed'])
  expect((await world.minedFrom(0)).map(({ nonce }) => nonce)).toEqual([0, 1, 2])
})

test('the second RPC URL is used when the first one is dead', async () => {
  world = await startBroadcastWorld({ signers: 1 })
  const dead = `http://127.0.0.1:${await findFreePort()}`
  const engine = await world.startEngine({ rpcUrls: [dead, world.node.url] })
  await world.enqueue(engine, 5)
  const booked = await world.settled(5)
  expect(booked.map(({ status }) => status)).toEqual(Array(5).fill('confirmed'))
  expect((await world.minedFrom(0)).map(({ nonce }) => nonce)).toEqual([0, 1, 2, 3, 4])
})

test('a transaction keeps its nonce while no node can be reached, and is sent later', async () => {
  world = await startBroadcastWorld({ signers: 1 })
  const door = await countRpc(world.node.url)
  const engine = await world.startEngine({ rpcUrls: [door.url], config: { resendAfterMs: 200 } })
  await door.close()
  const [id] = await world.enqueue(engine, 1)
  await expect(engine.waitUntilSent(id ?? '', AbortSignal.timeout(300))).rejects.toThrow()
  await world.startEngine()
  await engine.stop()
  const booked = await world.settled(1)
  expect(booked).toMatchObject([{ status: 'confirmed' }])
  expect((await world.minedFrom(0)).map(({ nonce }) => nonce)).toEqual([0])
})

test('transactions that no signer can pay for do not block the others', async () => {
  world = await startBroadcastWorld({ signers: 1 })
  await world.node.ask('anvil_setBalance', signerAddress(0), toHex(parseEther('0.01')))
  const engine = await world.startEngine()
  await world.enqueue(engine, 40, { value: parseEther('5') })
  await world.enqueue(engine, 3, {}, 40)
  const booked = await world.settled(3)
  expect(booked.map(({ reference, status }) => [reference, status])).toEqual([
    ['40', 'confirmed'],
    ['41', 'confirmed'],
    ['42', 'confirmed'],
  ])
  expect(await engine.pending(CHAIN_ID)).toBe(40)
})
