import { maxUint256, parseAbi, zeroAddress, type Address } from 'viem'
import { afterAll, beforeAll, beforeEach, afterEach, expect, it, describe } from 'vitest'
import { createClient } from '../../../../../relayer/chain/nodes/open-chain.ts'
import { ROUTE_QUOTES_CODE } from '../../../../../relayer/transact/venues/swap/uniswap/route-quotes-code.ts'
import { uniswapVenue } from '../../../../../relayer/transact/venues/swap/uniswap/uniswap-venue.ts'
import { findFreePort } from '../../../../harness/find-free-port.ts'
import { compileSolidity } from '../../../market/tokens/compile-solidity.ts'
import { DOLLARS, everyToken, ONE, startKnownPools, type KnownPools } from './start-known-pools.ts'
import type { SwapWorld } from './start-swap-world.ts'
import { DEADLINE, expectNothingLeft, findRoute, readSwap, runSwap, somebody } from './swap-once.ts'

let world: KnownPools
let snapshot: string
let usd: Address
let eur: Address
let odd: Address
let strict: Address
let lonely: Address

beforeAll(async () => {
  world = await startKnownPools()
  ;({ usd, eur, odd, strict } = world)
  lonely = await world.createToken()
})
afterAll(() => world?.stop())
beforeEach(async () => {
  snapshot = await world.node.ask('evm_snapshot')
})
afterEach(() => world.node.ask('evm_revert', snapshot))

it('the bytecode that finds paths equals its compiled source', () => {
  const source = new URL(
    '../../../../../relayer/transact/venues/swap/uniswap/contracts/RouteQuotes.sol',
    import.meta.url,
  )
  expect(compileSolidity(source)['RouteQuotes']?.bytecode).toBe(ROUTE_QUOTES_CODE)
})

describe('the quoted amount is what arrives, to the wei', () => {
  const coin = () => zeroAddress
  const wrapped = () => world.wrapped
  it.each([
    ['one pool of v3', wrapped, () => usd, ONE, ['exactInput']],
    ['coins into one pool of v3', coin, () => usd, ONE, ['exactInput', 'refundETH']],
    ['one pool of v3 into coins', () => usd, coin, 5_000n * DOLLARS, ['exactInput', 'unwrapWETH9']],
    ['one pair of v2', wrapped, () => strict, ONE, ['swapExactTokensForTokens']],
    ['coins into one pair of v2', coin, () => strict, ONE, ['swapExactTokensForTokens', 'refundETH']],
    [
      'one pair of v2 into coins',
      () => strict,
      coin,
      900n * DOLLARS,
      ['swapExactTokensForTokens', 'unwrapWETH9'],
    ],
    ['two pools of v3', wrapped, () => eur, ONE, ['exactInput', 'sweepToken']],
    [
      'a pool of v3 and a pair of v2',
      () => usd,
      () => odd,
      90n * DOLLARS,
      ['exactInput', 'swapExactTokensForTokens'],
    ],
    [
      'two pools of v3 and a pair of v2',
      coin,
      () => odd,
      ONE,
      ['exactInput', 'swapExactTokensForTokens', 'sweepToken', 'refundETH'],
    ],
    [
      'a pair of v2 and two pools of v3',
      () => odd,
      coin,
      ONE,
      ['swapExactTokensForTokens', 'exactInput', 'unwrapWETH9', 'sweepToken', 'sweepToken'],
    ],
    [
      'a pair of v2 and a pool of v3, the token strict about approvals',
      () => strict,
      () => usd,
      900n * DOLLARS,
      ['swapExactTokensForTokens', 'exactInput', 'sweepToken'],
    ],
  ] as const)('through %s', async (_, from, to, amountIn, functions) => {
    const ask = { tokenIn: from(), tokenOut: to(), amountIn }
    await world.fund(ask.tokenIn, amountIn)
    const route = await findRoute(world, ask)
    const { expected } = route
    const terms = { payer: world.payer, recipient: somebody(), amountIn, deadline: DEADLINE, allowance: 0n }
    expect(route.spender).toBe(ask.tokenIn === zeroAddress ? null : world.router)
    expect(readSwap(await route.calls({ ...terms, minimum: expected }), world.router)).toEqual({
      functions,
      deadline: DEADLINE,
      minimums: functions.some((name) => name === 'unwrapWETH9') ? [expected, expected] : [expected],
      approvals: ask.tokenIn === zeroAddress ? [] : [amountIn, 0n],
      value: ask.tokenIn === zeroAddress ? amountIn : 0n,
    })
    await expect(runSwap(world, route, ask, expected + 1n)).rejects.toThrow('reverted')
    expect(await runSwap(world, route, ask, expected)).toEqual({ paid: amountIn, received: expected })
    await expectNothingLeft(world, everyToken(world))
  })
})

it('the router chooses the path of many that gives most, as QuoterV2 says of each', async () => {
  const amountIn = 3n * ONE
  const direct = async (fee: number) => {
    const params = { tokenIn: world.wrapped, tokenOut: usd, amountIn, fee, sqrtPriceLimitX96: 0n }
    const { result } = await world.client.simulateContract({
      address: world.quoter.address,
      abi: world.quoter.abi,
      functionName: 'quoteExactInputSingle',
      args: [params],
    })
    return (result as unknown as [bigint])[0]
  }
  const [cheap, deep] = await Promise.all([direct(500), direct(3_000)])
  expect(cheap).not.toBe(deep)
  const best = async () =>
    (await findRoute(world, { tokenIn: zeroAddress, tokenOut: usd, amountIn })).expected
  expect(await best()).toBe(cheap > deep ? cheap : deep)
  // A pool that appears later is found, and so is a path through another token that is better than any direct pool.
  await world.openPool(
    10_000,
    { token: world.wrapped, amount: 9_000n * ONE },
    { token: eur, amount: 36_000_000n * ONE },
  )
  const around = await findRoute(world, { tokenIn: zeroAddress, tokenOut: usd, amountIn })
  expect(around.expected).toBeGreaterThan(cheap > deep ? cheap : deep)
  expect(around.gasKey).toBe(`CLASSIC ${zeroAddress} 10000 ${eur} 100 ${usd} ${usd}`)
})

it('a longer path is chosen if it gives more than the gas of its further pools', async () => {
  const amountIn = 1_000n * DOLLARS
  const ask = { tokenIn: usd, tokenOut: odd, amountIn }
  const around = await findRoute(world, ask)
  expect(around.gasKey).toBe(`CLASSIC ${usd} 100 ${eur} v2 ${odd} ${odd}`)
  // A separate pool that gives a little less.
  await world.openPair({ token: usd, amount: 49_500n * DOLLARS }, { token: odd, amount: 690n * ONE })
  const more = await findRoute(world, ask)
  expect(more.expected).toBe(around.expected)
  const tried = (hopCost: bigint) => findRoute(world, { ...ask, hopCost })
  const direct = await tried(around.expected / 10n)
  expect(direct.gasKey).toBe(`CLASSIC ${usd} v2 ${odd} ${odd}`)
  const advantage = around.expected - direct.expected
  expect(advantage).toBeGreaterThan(0n)
  expect((await tried(advantage - 1n)).expected).toBe(around.expected)
  expect((await tried(advantage)).expected).toBe(direct.expected)
  // At any gas price: if there is only one path, or if a shorter one gives less than nine tenths.
  const only = { tokenIn: zeroAddress, tokenOut: strict, amountIn: ONE }
  expect((await findRoute(world, { ...only, hopCost: 2n ** 128n })).expected).toBe(
    (await findRoute(world, only)).expected,
  )
  const three = { tokenIn: strict, tokenOut: eur, amountIn }
  expect((await findRoute(world, { ...three, hopCost: 2n ** 128n })).expected).toBeGreaterThan(0n)
  await world.openPair({ token: strict, amount: 10n * DOLLARS }, { token: eur, amount: 10n * ONE })
  expect(await findRoute(world, { ...three, hopCost: 2n ** 128n })).toMatchObject({
    expected: (await findRoute(world, three)).expected,
  })
})

it('the unused input of a pool that has run dry is given back', async () => {
  const [first, second] = [await openShallow(), await openShallow()]
  // Quoted for a small amount, run with a large one.
  const coins = { tokenIn: zeroAddress, tokenOut: first, amountIn: 5n * ONE }
  await world.fund(zeroAddress, coins.amountIn)
  const direct = await findRoute(world, { ...coins, amountIn: 10n ** 12n })
  const { paid, received } = await runSwap(world, direct, coins, 1n)
  expect(received).toBeGreaterThan(0n)
  expect(paid).toBeLessThan(ONE)
  // The second of two hops: the intermediate token returns to the payer.
  const dollars = { tokenIn: usd, tokenOut: second, amountIn: 5_000n * DOLLARS }
  await world.fund(usd, dollars.amountIn)
  const around = await findRoute(world, { ...dollars, amountIn: 1_000n })
  expect(await runSwap(world, around, dollars, 1n)).toMatchObject({ paid: dollars.amountIn })
  expect(await world.balanceOf(world.wrapped, world.payer)).toBeGreaterThan(ONE)
  await expectNothingLeft(world, [...everyToken(world), first, second])
})

it('a pool that cannot take the whole amount has no price for it', async () => {
  const ask = { tokenIn: zeroAddress, tokenOut: await openShallow(), amountIn: 5n * ONE }
  expect(await uniswapVenue.findRoute(world, ask)).toBeNull()
  expect(await uniswapVenue.findRoute(world, { ...ask, amountIn: ONE / 100n })).not.toBeNull()
})

/** A token with one pool, whose liquidity ends after about a tenth of a coin. */
async function openShallow(): Promise<Address> {
  const token = await world.createToken()
  await world.openPool(10_000, { token: world.wrapped, amount: ONE / 10n }, { token, amount: ONE }, 600)
  return token
}

it('there is no route without a path, an amount, a venue or a wrapped coin', async () => {
  const ask = { tokenIn: zeroAddress, tokenOut: usd, amountIn: ONE }
  const { config, client, wrapped } = world
  const find = (changes: Partial<typeof ask>, chain: Pick<SwapWorld, 'config' | 'client'> = world) =>
    uniswapVenue.findRoute(chain, { ...ask, ...changes })
  expect(await find({ tokenOut: lonely })).toBeNull()
  expect(await find({ tokenOut: somebody() })).toBeNull()
  expect(await find({ amountIn: 0n })).toBeNull()
  expect(await find({ amountIn: maxUint256 })).toBeNull()
  expect(await find({ tokenOut: wrapped })).toBeNull()
  expect(await find({}, { client, config: { ...config, venues: {} } })).toBeNull()
  expect(await find({}, { client, config: { ...config, wrappedNative: undefined } })).toBeNull()
  expect(await find({})).not.toBeNull()
})

it("a node's silence is not taken for a missing path", async () => {
  const config = { ...world.config, rpcUrls: [`http://127.0.0.1:${await findFreePort()}`] }
  await expect(
    uniswapVenue.findRoute(
      { config, client: createClient(config) },
      { tokenIn: zeroAddress, tokenOut: usd, amountIn: ONE },
    ),
  ).rejects.toMatchObject({ kind: 'unavailable', code: 'SERVER_BUSY' })
})

it("the spot price is a tiny amount's rate, fees included", async () => {
  for (const [tokenIn, tokenOut] of [
    [zeroAddress, odd],
    [odd, zeroAddress],
  ] as const) {
    const amountIn = 10n ** 14n
    const tiny = await findRoute(world, { tokenIn, tokenOut, amountIn })
    expect(Number(tiny.atSpot! - tiny.expected) / Number(tiny.expected)).toBeLessThan(5e-4)
    const larger = await findRoute(world, { tokenIn, tokenOut, amountIn: 100n * amountIn })
    expect(larger.gasKey).toBe(tiny.gasKey)
    expect(larger.atSpot! - larger.expected).toBeGreaterThan(0n)
    expect(larger.atSpot! / 100n).toBe(tiny.atSpot)
  }
})

it('the gap to the mean of ten minutes is known once a pool has the history, and follows the price', async () => {
  const gold = await world.createToken()
  const pool = await world.openPool(
    500,
    { token: world.wrapped, amount: 100n * ONE },
    { token: gold, amount: 50n * ONE },
  )
  const buy = { tokenIn: world.wrapped, tokenOut: gold, amountIn: 5n * ONE }
  const sell = { tokenIn: gold, tokenOut: world.wrapped, amountIn: ONE }
  const gapOf = async (ask: typeof buy) => (await findRoute(world, ask)).twapGapBps
  expect(await gapOf(buy)).toBeNull()
  await world.send(
    pool,
    parseAbi(['function increaseObservationCardinalityNext(uint16)']),
    'increaseObservationCardinalityNext',
    [4],
  )
  await world.node.ask('evm_increaseTime', 700)
  await world.node.ask('evm_mine')
  expect([await gapOf(buy), await gapOf(sell), await gapOf({ ...buy, tokenOut: strict })]).toEqual([
    0,
    0,
    null,
  ])
  // 5 % more in the pool: a price higher by 10.25 %.
  await world.fund(world.wrapped, buy.amountIn)
  await runSwap(world, await findRoute(world, buy), buy, 1n)
  for (const ask of [buy, sell]) {
    expect(await gapOf(ask)).toBeGreaterThan(1_000)
    expect(await gapOf(ask)).toBeLessThan(1_030)
  }
})
