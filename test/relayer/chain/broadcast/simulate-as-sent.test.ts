import { pino } from 'pino'
import { parseEther, parseTransaction, toHex, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import type { ProvingPool } from '../../../../proving/proving-pool.ts'
import { simulateAsSent } from '../../../../relayer/chain/broadcast/simulate-as-sent.ts'
import { openChain, type OpenChain } from '../../../../relayer/chain/nodes/open-chain.ts'
import { startBroadcastWorld, type World } from './start-broadcast-world.ts'
import { CHAIN_ID, configureChain, signerAddress } from './start-engine.ts'
import { shareProvingPool } from '../../../harness/share-proving-pool.ts'

/** Returns gas price, base fee, block number and the origin's balance. */
const PROBE: Hex = '0x3a6000524860205243604052323160605260806000f3'
const TARGET = '0x3000000000000000000000000000000000000003'

let world: World
let proving: ProvingPool
let chain: OpenChain
beforeAll(async () => {
  world = await startBroadcastWorld({ signers: 1, args: ['--block-base-fee-per-gas', '3000000000'] })
  proving = await shareProvingPool({ threads: 1, commitmentKeys: [] })
  await world.node.ask('anvil_setCode', TARGET, PROBE)
  await world.node.ask('evm_mine')
  chain = openChain(configureChain({ rpcUrls: [world.node.url], signers: 1 }), pino({ level: 'silent' }))
  await chain.start()
})
afterEach(() => world.node.ask('anvil_setBalance', signerAddress(0), toHex(parseEther('10'))))
afterAll(async () => {
  await chain?.stop()
  await proving?.close()
  await world?.stop()
})

const options = { errorAbi: [], timeoutMs: 5_000 }
const callWith = (gas: bigint) =>
  ({
    from: signerAddress(0),
    to: TARGET,
    data: '0x',
    value: 0n,
    gas,
  }) as const

async function probe(engine: Parameters<typeof simulateAsSent>[0]['broadcast'], gas: bigint) {
  const outcome = await simulateAsSent({ proving, broadcast: engine }, chain, callWith(gas), options)
  if (!outcome.success) throw new Error(outcome.revert.text)
  const words = outcome.returnData.slice(2).match(/.{64}/g) ?? []
  const [gasPrice = 0n, baseFee = 0n, number = 0n, balance = 0n] = words.map((word) => BigInt(`0x${word}`))
  return { gasPrice, baseFee, number, balance }
}

test('a call is simulated with the fees and the block of its later transaction', async () => {
  const engine = await world.startEngine()
  const terms = engine.signingTerms(CHAIN_ID, signerAddress(0))!
  const seen = await probe(engine, 60_000n)
  await world.enqueue(engine, 1, { to: TARGET, gasLimit: 60_000n })
  await world.settled(1)
  const raws = await world.pool.any(sql.type(z.object({ raw: z.instanceof(Buffer) }))`
    select raw from outbound_attempt`)
  const signed = parseTransaction(`0x${raws[0]!.raw.toString('hex')}`)
  expect(signed).toMatchObject(terms.fees)
  const block = await chain.client.getBlock()
  expect(block.number).toBe(seen.number)
  expect(block.baseFeePerGas).toBe(seen.baseFee)
  expect(seen.gasPrice).toBe(seen.baseFee + terms.fees.maxPriorityFeePerGas)
  // As on chain, the cost of all its gas is taken from the signer before the call runs.
  expect(seen.balance).toBe(terms.balance - 60_000n * seen.gasPrice)
})

test('the signer that a call was simulated from sends it, even if another has more funds', async () => {
  const many = await startBroadcastWorld({ signers: 3 })
  const engine = await many.startEngine()
  // Signers are used in turn, so that all of them get work.
  const origins = [1, 2, 3, 4].map(() => engine.simulationSender(CHAIN_ID, 'sends')!)
  expect(new Set(origins.slice(0, 3)).size).toBe(3)
  expect(origins[3]).toBe(origins[0])
  await many.node.ask('anvil_setBalance', signerAddress(0), toHex(parseEther('100')))
  const counts = [2, 0, 3]
  for (const [index, count] of counts.entries())
    await many.enqueue(engine, count, { origin: signerAddress(index) }, index * 10)
  await many.settled(5)
  expect(await Promise.all(counts.map((_, index) => many.nonceOf(index)))).toEqual(counts)
  await many.stop()
})

test('another signer sends a call when the one of the simulation cannot pay any more', async () => {
  const many = await startBroadcastWorld({ signers: 2 })
  await many.node.ask('anvil_setBalance', signerAddress(0), '0x0')
  const engine = await many.startEngine()
  await many.enqueue(engine, 1, { origin: signerAddress(0) })
  await many.settled(1)
  expect([await many.nonceOf(0), await many.nonceOf(1)]).toEqual([0, 1])
  await many.stop()
})

test('a signer that cannot pay for the whole gas limit does not make a simulation fail', async () => {
  await world.node.ask('anvil_setBalance', signerAddress(0), toHex(10n ** 15n))
  const engine = await world.startEngine()
  await chain.refresh()
  const terms = engine.signingTerms(CHAIN_ID, signerAddress(0))!
  expect(terms.balance).toBe(10n ** 15n)
  const gas = 10_000_000n
  expect(gas * terms.fees.maxFeePerGas).toBeGreaterThan(terms.balance)
  expect((await probe(engine, gas)).gasPrice).toBeGreaterThan(0n)
})

test('a signer whose coins are gone since they were read does not make a simulation fail', async () => {
  const engine = await world.startEngine()
  await chain.refresh()
  const gas = 60_000n
  const { balance, fees } = engine.signingTerms(CHAIN_ID, signerAddress(0))!
  expect(balance).toBeGreaterThan(gas * fees.maxFeePerGas)
  await world.node.ask('anvil_setBalance', signerAddress(0), '0x1')
  const call = callWith(gas)
  for (const prefer of [undefined, 'evm'] as const)
    expect(
      await simulateAsSent({ proving, broadcast: engine }, chain, call, {
        ...options,
        ...(prefer && { prefer }),
      }),
    ).toMatchObject({ success: true })
})

test('nothing is simulated before the gas price is known', async () => {
  const engine = await world.startEngine()
  const silent = openChain(
    configureChain({ rpcUrls: ['http://127.0.0.1:1'], signers: 1 }),
    pino({ level: 'silent' }),
  )
  const asked = simulateAsSent({ proving, broadcast: engine }, silent, callWith(60_000n), options)
  await expect(asked).rejects.toMatchObject({ code: 'unavailable' })
})
