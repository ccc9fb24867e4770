import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pino } from 'pino'
import {
  createTestClient,
  http,
  publicActions,
  walletActions,
  zeroAddress,
  type Abi,
  type Address,
  type Hex,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openChain } from '../../../../relayer/chain/nodes/open-chain.ts'
import type { Chains } from '../../../../relayer/chain/nodes/chain.ts'
import { keyOf, type TokenId, type TokenKey } from '../../../../relayer/market/tokens/token-id.ts'
import { pricesConfig, type UniswapV3Config } from '../../../../relayer/market/prices/config.ts'
import type { KnownPrice } from '../../../../relayer/market/prices/prices.ts'
import { createPoolPrices, listAssetPools } from '../../../../relayer/market/prices/read-pool-prices.ts'
import { parseUsd, usdToNumber } from '../../../../relayer/market/prices/usd.ts'
import { startNode, type Node } from '../../chain/broadcast/start-node.ts'
import { configOf } from '../tokens/start-token-world.ts'

const CHAIN = 31_337
/** Sorted as the factory sorts them: a coin of 18 decimals, a dollar of 6, a cheap coin of 18. */
const WRAPPED: Address = '0x1000000000000000000000000000000000000001'
const DOLLAR: Address = '0x2000000000000000000000000000000000000002'
const CHEAP: Address = '0x3000000000000000000000000000000000000003'

let node: Node
let chains: Chains
const pools: Record<string, Address> = {}

const contract = (name: string) => {
  const path = `@uniswap/v3-core/artifacts/contracts/${name}.sol/${name}.json`
  return JSON.parse(readFileSync(createRequire(import.meta.url).resolve(path), 'utf8')) as {
    abi: Abi
    bytecode: Hex
  }
}
/** sqrt(units of token1 for one unit of token0) · 2^96. */
const sqrtPrice = (ratio: number) => BigInt(Math.floor(Math.sqrt(ratio) * 2 ** 52)) << 44n

beforeAll(async () => {
  node = await startNode()
  const client = createTestClient({
    mode: 'anvil',
    chain: foundry,
    transport: http(node.url),
    account: mnemonicToAccount('test test test test test test test test test test test junk'),
    pollingInterval: 20,
  })
    .extend(publicActions)
    .extend(walletActions)
  const mined = async (hash: Hex) => client.waitForTransactionReceipt({ hash })
  const { contractAddress } = await mined(await client.deployContract(contract('UniswapV3Factory')))
  const factory = { address: contractAddress!, abi: contract('UniswapV3Factory').abi }
  for (const [name, pair, ratio] of [
    ['coin-dollar', [WRAPPED, DOLLAR], 3_000e6 / 1e18],
    ['coin-cheap', [WRAPPED, CHEAP], 3_000 / 1.5e-9],
    ['dollar-cheap', [DOLLAR, CHEAP], 1e18 / 1e6 / 1.5e-9],
  ] as const) {
    await mined(
      await client.writeContract({ ...factory, functionName: 'createPool', args: [...pair, 3_000] }),
    )
    const address = (await client.readContract({
      ...factory,
      functionName: 'getPool',
      args: [...pair, 3_000],
    })) as Address
    const pool = { address, abi: contract('UniswapV3Pool').abi }
    await mined(await client.writeContract({ ...pool, functionName: 'initialize', args: [sqrtPrice(ratio)] }))
    await mined(
      await client.writeContract({ ...pool, functionName: 'increaseObservationCardinalityNext', args: [8] }),
    )
    pools[name] = address
  }
  await client.increaseTime({ seconds: 2_000 })
  await client.mine({ blocks: 1 })
  chains = new Map([[CHAIN, openChain(configOf(node.url), pino({ level: 'silent' }))]])
})
afterAll(() => node?.stop())

const poolOf = (members: object) => {
  const parsed = pricesConfig.parse({
    sources: [{ kind: 'uniswap-v3', pools: [{ chainId: CHAIN, ...members }] }],
  })
  return (parsed.sources[0] as UniswapV3Config).pools[0]!
}
const native = () =>
  poolOf({
    token: zeroAddress,
    decimals: 18,
    pool: pools['coin-dollar'],
    quote: DOLLAR,
    quoteDecimals: 6,
    quoteIs: 'usd',
  })
const cheapByCoin = () =>
  poolOf({
    token: CHEAP,
    decimals: 18,
    pool: pools['coin-cheap'],
    quote: WRAPPED,
    quoteDecimals: 18,
    quoteIs: 'native',
  })
const cheapByDollar = () =>
  poolOf({
    token: CHEAP,
    decimals: 18,
    pool: pools['dollar-cheap'],
    quote: DOLLAR,
    quoteDecimals: 6,
    quoteIs: 'usd',
  })

async function read(
  list: UniswapV3Config['pools'],
  known: ReadonlyMap<TokenKey, KnownPrice> = new Map(),
  wanted: TokenId[] = [zeroAddress, CHEAP].map((address) => ({ chainId: CHAIN, address })),
) {
  const told = new Map<TokenKey, number>()
  const times: Date[] = []
  const reading = createPoolPrices(chains, list).read(wanted, known, async (quotes) => {
    for (const { id, usd, observedAt } of quotes) {
      told.set(keyOf(id), usdToNumber(usd))
      times.push(observedAt)
    }
  })
  return {
    told,
    times,
    failure: await reading.then(
      () => null,
      (error: Error) => error,
    ),
  }
}
const COIN_KEY = keyOf({ chainId: CHAIN, address: zeroAddress })
const CHEAP_KEY = keyOf({ chainId: CHAIN, address: CHEAP })
const knownCoin = (usd: string, observedAt = new Date()) =>
  new Map([[COIN_KEY, { usd: parseUsd(usd), observedAt }]])
/** A tick is a hundredth of a percent. */
const within = (value: number | undefined, expected: number) => Math.abs((value ?? 0) / expected - 1) < 1.1e-4

it('a chain of pools prices the native coin in dollars, and another token in the coin', async () => {
  const { told, failure } = await read([cheapByCoin(), native()])
  expect(failure).toBeNull()
  expect(told.get(COIN_KEY)).toSatisfy((value: number) => within(value, 3_000))
  expect(told.get(CHEAP_KEY)).toSatisfy((value: number) => within(value, 1.5e-9))
})

it('a cheap token keeps its digits against a dollar of six decimals', async () => {
  const { told } = await read([cheapByDollar()])
  expect(told.get(CHEAP_KEY)).toSatisfy((value: number) => within(value, 1.5e-9))
})

it('a price needs the price of the other token, which another source may give', async () => {
  expect((await read([cheapByCoin()])).told.size).toBe(0)
  const { told } = await read([cheapByCoin()], knownCoin('6000'))
  expect(told.get(CHEAP_KEY)).toSatisfy((value: number) => within(value, 3e-9))
})

it('a price is no fresher than the price of the token it is quoted in', async () => {
  const observedAt = new Date(Date.now() - 7_200_000)
  const { told, times } = await read([cheapByCoin()], knownCoin('3000', observedAt))
  expect([...told.keys()]).toEqual([CHEAP_KEY])
  expect(times).toEqual([observedAt])
})

it('a missing or young pool does not affect other prices', async () => {
  const { told, failure } = await read([
    { ...cheapByDollar(), windowSeconds: 86_400 },
    { ...cheapByDollar(), pool: DOLLAR },
    native(),
  ])
  expect(failure).toBeInstanceOf(AggregateError)
  expect([...told.keys()]).toEqual([COIN_KEY])
})

it('the service reads no pool for unwanted prices', async () => {
  expect((await read([native()], new Map(), [])).told.size).toBe(0)
})

it('pools that price relay fees are used for dollar prices too', async () => {
  const asset = { asset: CHEAP, symbol: 'CHEAP', decimals: 18, minWithdrawAmount: 1 }
  const price = { kind: 'uniswap-v3', pool: pools['coin-cheap'] }
  const config = configOf(node.url, { assets: [{ ...asset, price }] })
  const own: Chains = new Map([[CHAIN, openChain(config, pino({ level: 'silent' }))]])
  const { told } = await read([...listAssetPools(own)], knownCoin('3000'))
  expect(told.get(CHEAP_KEY)).toSatisfy((value: number) => within(value, 1.5e-9))
})
