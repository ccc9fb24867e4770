import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  createPublicClient,
  createTestClient,
  http,
  publicActions,
  walletActions,
  type Abi,
  type Address,
  type Hex,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readTwap } from '../../../../relayer/market/prices/read-twap.ts'
import { startNode, type Node } from '../../chain/broadcast/start-node.ts'

const TOKENS: [Address, Address] = [
  '0x1000000000000000000000000000000000000001',
  '0x2000000000000000000000000000000000000002',
]
const FEE = 3_000
/** sqrt(3,000 · 10^6 / 10^18) · 2^96: a coin of 18 decimals as token0, at 3,000 units of 10^6 of token1. */
const SQRT_PRICE = BigInt(Math.floor(Math.sqrt(3e-9) * 2 ** 48)) << 48n

const contract = (name: string) => {
  const path = `@uniswap/v3-core/artifacts/contracts/${name}.sol/${name}.json`
  return JSON.parse(readFileSync(createRequire(import.meta.url).resolve(path), 'utf8')) as {
    abi: Abi
    bytecode: Hex
  }
}

let node: Node
let pool: Address
const connect = () =>
  createTestClient({
    mode: 'anvil',
    chain: foundry,
    transport: http(node.url),
    account: mnemonicToAccount('test test test test test test test test test test test junk'),
    pollingInterval: 20,
  })
    .extend(publicActions)
    .extend(walletActions)
let client: ReturnType<typeof connect>

beforeAll(async () => {
  node = await startNode()
  client = connect()
  const mined = async (hash: Hex) => client.waitForTransactionReceipt({ hash })
  const { abi, bytecode } = contract('UniswapV3Factory')
  const { contractAddress } = await mined(await client.deployContract({ abi, bytecode }))
  const factory = { address: contractAddress!, abi }
  await mined(await client.writeContract({ ...factory, functionName: 'createPool', args: [...TOKENS, FEE] }))
  pool = (await client.readContract({
    ...factory,
    functionName: 'getPool',
    args: [...TOKENS, FEE],
  })) as Address
  const made = { address: pool, abi: contract('UniswapV3Pool').abi }
  await mined(await client.writeContract({ ...made, functionName: 'initialize', args: [SQRT_PRICE] }))
  const grow = { ...made, functionName: 'increaseObservationCardinalityNext', args: [8] }
  await mined(await client.writeContract(grow))
})
afterAll(() => node?.stop())

test("there is no average before the pool's first observation", async () => {
  await expect(
    readTwap(createPublicClient({ transport: http(node.url) }), TOKENS[1], pool, 600),
  ).rejects.toThrow('OLD')
})

test("the average is the pool's price to one tick, for both tokens", async () => {
  await client.increaseTime({ seconds: 700 })
  await client.mine({ blocks: 1 })
  const token1 = await readTwap(createPublicClient({ transport: http(node.url) }), TOKENS[1], pool, 600)
  expect(Number(token1) / 3e9).toBeGreaterThan(0.9999 - 1e-6)
  expect(Number(token1) / 3e9).toBeLessThanOrEqual(1 + 1e-6)
  const token0 = await readTwap(createPublicClient({ transport: http(node.url) }), TOKENS[0], pool, 600)
  // 10^18 units of token1 are 10^12 of its coins, at a 3,000th of a coin of token0 each.
  expect(Number(token0) / (1e30 / 3_000)).toBeGreaterThanOrEqual(1 - 1e-6)
  expect(Number(token0) / (1e30 / 3_000)).toBeLessThan(1.0001 + 1e-6)
})
