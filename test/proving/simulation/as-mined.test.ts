import { readFileSync } from 'node:fs'
import {
  createTestClient,
  decodeAbiParameters,
  encodeFunctionData,
  http,
  parseEther,
  parseGwei,
  publicActions,
  walletActions,
  type Abi,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createProvingPool } from '../../../proving/create-proving-pool.ts'
import type { ProvingPool } from '../../../proving/proving-pool.ts'
import type { SimulateJob } from '../../../proving/simulate-job.ts'
import { createBlockForecast, type BlockForecast } from '../../../relayer/chain/nodes/foresee-block.ts'
import { compileSolidity } from '../../harness/compile-solidity.ts'
import { startNode, type Node } from '../../relayer/chain/broadcast/start-node.ts'
import { methodMissing, startNodeDoor } from './start-node-door.ts'
import { SENDER } from './start-reverting-contract.ts'

/** The chain's time between blocks. */
const SLOT_SECONDS = 12
const COINBASE = '0x000000000000000000000000000000000000c0de'
const FEES = { maxFeePerGas: parseGwei('9'), maxPriorityFeePerGas: 123_456_789n }

const openClient = (url: string) =>
  createTestClient({
    mode: 'anvil',
    chain: foundry,
    account: SENDER,
    pollingInterval: 20,
    transport: http(url, { retryCount: 100, retryDelay: 50 }),
  })
    .extend(publicActions)
    .extend(walletActions)

let node: Node
let client: ReturnType<typeof openClient>
let pool: ProvingPool
let abi: Abi
let witness: Address
let forecast: BlockForecast

/** Mines blocks without transactions of the test, so that the chain has a pace and a base fee that changes. */
async function mine(blocks = 1): Promise<void> {
  for (let count = 0; count < blocks; count += 1) {
    await node.ask('evm_mine')
    forecast.note(await client.getBlock())
    await forecast.fees.read()
  }
}

beforeAll(async () => {
  node = await startNode('--block-base-fee-per-gas', '3000000000')
  client = openClient(node.url)
  pool = await createProvingPool({ threads: 1, commitmentKeys: [] })
  const content = readFileSync(new URL('witness.sol', import.meta.url), 'utf8')
  const build = compileSolidity({ 'witness.sol': content }, { evmVersion: 'cancun' })['Witness']!
  abi = build.abi
  const { contractAddress } = await client.waitForTransactionReceipt({
    hash: await client.deployContract({ ...build, gas: 3_000_000n }),
  })
  witness = contractAddress!
  await node.ask('anvil_setCoinbase', COINBASE)
  await node.ask('anvil_setBlockTimestampInterval', SLOT_SECONDS)
  forecast = createBlockForecast(client as never)
  await mine(5)
})
afterAll(async () => {
  await pool?.close()
  await node?.stop()
})

const callOf = (functionName: string, args: readonly unknown[] = [], value = 0n) => ({
  from: SENDER as Address,
  to: witness,
  data: encodeFunctionData({ abi, functionName, args }),
  value,
  gas: 345_678n,
})

const jobOf = (call: SimulateJob['call'], changes: Partial<SimulateJob> = {}): SimulateJob => ({
  rpcUrls: [node.url],
  call,
  fees: FEES,
  block: forecast.next(Date.now()) ?? undefined,
  errorAbi: abi,
  timeoutMs: 5_000,
  ...changes,
})

function readSight(data: Hex): unknown {
  const event = abi.find((item) => item.type === 'event')
  return event && 'inputs' in event && decodeAbiParameters(event.inputs, data)[0]
}

async function sendMined(call: ReturnType<typeof callOf>, more: object = {}) {
  const { from: _, ...rest } = call
  const hash = await client.sendTransaction({ ...rest, ...FEES, ...more })
  const receipt = await client.waitForTransactionReceipt({ hash })
  forecast.note(await client.getBlock())
  await forecast.fees.read()
  return receipt
}

describe.each([
  ['rpc-simulate', []],
  ['rpc-trace', ['eth_simulateV1']],
  ['rpc-call', ['eth_simulateV1', 'debug_traceCall', 'eth_getBlockByNumber']],
  ['evm', ['eth_simulateV1', 'debug_traceCall']],
])('%s', (provider, absent) => {
  let url: string
  beforeEach(async () => {
    const door = await startNodeDoor(node.url, ({ method }) =>
      absent.includes(method) ? methodMissing : null,
    )
    url = door.url
    return async () => {
      await door.stop()
    }
  })

  test('a contract sees the same in a simulation and in the block that follows', async () => {
    await mine()
    const call = callOf('look', [], 5n)
    const outcome = await pool.simulate(jobOf(call, { rpcUrls: [url] }))
    const { logs, gasUsed } = await sendMined(call)
    if (!outcome.success) throw new Error(outcome.revert.text)
    expect(outcome.provider).toBe(provider)
    expect(readSight(outcome.returnData)).toEqual(readSight(logs[0]!.data))
    if (provider !== 'rpc-call') expect(outcome.gasUsed).toBe(gasUsed)
  })

  test('a contract sees the same gas after the transaction has delegated accounts', async () => {
    const authority = privateKeyToAccount(generatePrivateKey())
    await client.setBalance({ address: authority.address, value: 1n })
    await mine()
    const call = callOf('lookAfter', [authority.address])
    const authorizations = [{ authority: authority.address, address: witness, chainId: 31_337, nonce: 0n }]
    const outcome = await pool.simulate(jobOf(call, { rpcUrls: [url], authorizations }))
    const authorizationList = [
      await authority.signAuthorization({ contractAddress: witness, chainId: 31_337, nonce: 0 }),
    ]
    const { logs } = await sendMined(call, { authorizationList })
    if (!outcome.success) throw new Error(outcome.revert.text)
    const [seen, mined] = [readSight(outcome.returnData), readSight(logs[0]!.data)] as { gasLeft: bigint }[]
    expect(seen!.gasLeft).toBe(mined!.gasLeft)
  })

  test('a contract that spends gas only where gas has a price is detected', async () => {
    const job = jobOf(callOf('burnOnChain'), { rpcUrls: [url] })
    expect(await pool.simulate(job)).toMatchObject({ success: false, provider })
  })

  test('a base fee above the cap is replaced by that of a later block below the cap', async () => {
    const fees = { maxFeePerGas: 777n, maxPriorityFeePerGas: 777n }
    const outcome = await pool.simulate(jobOf(callOf('look'), { rpcUrls: [url], fees }))
    if (!outcome.success) throw new Error(outcome.revert.text)
    expect(readSight(outcome.returnData)).toMatchObject({ baseFee: 777n, gasPrice: 777n })
  })
})

test('the next base fee is computed when the node does not give it', async () => {
  const door = await startNodeDoor(node.url, ({ method }) =>
    method === 'eth_feeHistory' ? methodMissing : null,
  )
  const own = createBlockForecast(openClient(door.url) as never)
  own.note(await client.getBlock())
  const foreseen = own.next(Date.now())
  await node.ask('evm_mine')
  const { baseFeePerGas, number } = await client.getBlock()
  expect(foreseen).toMatchObject({ baseFeePerGas, number, blobBaseFee: null, coinbase: COINBASE })
  await door.stop()
})

test('a sender who cannot pay for the gas fails, unless its balance is overridden', async () => {
  const from = privateKeyToAccount(generatePrivateKey()).address
  const job = jobOf({ ...callOf('look'), from })
  const refused = { success: false, revert: { text: expect.stringMatching(/funds/i) } }
  expect(await pool.simulate(job)).toMatchObject(refused)
  expect(await pool.simulate({ ...job, prefer: 'evm' })).toMatchObject(refused)
  const stateOverrides = { [from]: { balance: parseEther('1') } }
  expect(await pool.simulate({ ...job, stateOverrides })).toMatchObject({ success: true })
  expect(await pool.simulate({ ...job, stateOverrides, prefer: 'evm' })).toMatchObject({
    success: true,
    assetChangesComplete: true,
  })
})
