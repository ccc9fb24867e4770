import { pino } from 'pino'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openChain } from '../../../../relayer/chain/nodes/open-chain.ts'
import { findExecution } from '../../../../relayer/transact/intents/find-execution.ts'
import { startIntentWorld, type IntentWorld } from './start-intent-world.ts'
import { startNarrowDoor, type NarrowDoor } from './start-narrow-door.ts'

let world: IntentWorld
let door: NarrowDoor
beforeAll(async () => {
  world = await startIntentWorld()
  door = await startNarrowDoor(world.config.rpcUrls[0]!, 5n)
})
afterAll(async () => {
  await door.close()
  await world.stop()
})

const ask = (method: string, ...params: unknown[]) => world.reader.request({ method, params } as never)
const look = async (intent: { eoa: `0x${string}`; intentNonce: bigint }, toBlock: bigint) => {
  const { client } = openChain({ ...world.config, rpcUrls: [door.url] }, pino({ level: 'silent' }))
  return findExecution(client, world.intents.orchestrator, intent, { fromBlock: 0n, toBlock })
}

it('an execution is found although nodes show few blocks at once', async () => {
  const account = await world.openAccount(10n)
  const intent = await world.sign(
    account,
    world.draft(account.address, [world.pay(privateKeyToAddress(generatePrivateKey()), 1n)]),
  )
  const { receipt } = await world.send([intent], { delegations: [await world.delegate(account)] })
  await ask('anvil_mine', '0x40')
  const head = await world.reader.getBlockNumber()
  expect(await look(intent, head)).toMatchObject({
    hash: receipt.transactionHash,
    outcome: { state: 'succeeded' },
  })
  expect(await look({ ...intent, intentNonce: 1n << 64n }, head)).toBe(null)
  expect(await look(intent, receipt.blockNumber - 1n)).toBe(null)
  // A node that lacks the block must not count as one that denies the execution.
  door.lag(head - receipt.blockNumber + 1n)
  await expect(look(intent, head)).rejects.toThrow('could not be found')
})
