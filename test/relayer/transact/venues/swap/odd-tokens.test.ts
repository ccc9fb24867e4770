import { encodeFunctionData, erc20Abi, numberToHex, zeroAddress, type Address } from 'viem'
import { afterAll, beforeAll, beforeEach, afterEach, expect, it } from 'vitest'
import { createClient } from '../../../../../relayer/chain/nodes/open-chain.ts'
import { uniswapVenue } from '../../../../../relayer/transact/venues/swap/uniswap/uniswap-venue.ts'
import { startNodeDoor } from '../../../chain/broadcast/start-node-door.ts'
import { compileSolidity } from '../../../market/tokens/compile-solidity.ts'
import { DOLLARS, everyToken, ONE, startKnownPools, type KnownPools } from './start-known-pools.ts'
import { DEADLINE, expectNothingLeft, findRoute, readSwap, runSwap, somebody } from './swap-once.ts'

let world: KnownPools
let snapshot: string
let usd: Address
let eur: Address
let odd: Address
let taxed: Address
let strict: Address
let hostile: Address

beforeAll(async () => {
  world = await startKnownPools()
  ;({ usd, eur, odd, taxed, strict, hostile } = world)
})
afterAll(() => world?.stop())
beforeEach(async () => {
  snapshot = await world.node.ask('evm_snapshot')
})
afterEach(() => world.node.ask('evm_revert', snapshot))

it('a standing allowance is taken back first, which strict tokens demand', async () => {
  const ask = { tokenIn: strict, tokenOut: zeroAddress, amountIn: 500n * DOLLARS }
  await world.fund(strict, 2n * ask.amountIn)
  const approve = (amount: bigint) => ({
    to: strict,
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [world.router, amount] }),
  })
  await world.run([approve(7n)])
  const route = await findRoute(world, ask)
  const part = {
    payer: world.payer,
    recipient: somebody(),
    amountIn: ask.amountIn,
    minimum: 1n,
    deadline: DEADLINE,
  }
  await expect(world.run(await route.calls({ ...part, allowance: 0n }))).rejects.toThrow('reverted')
  expect(readSwap(await route.calls({ ...part, allowance: 7n }), world.router).approvals).toEqual([
    0n,
    ask.amountIn,
    0n,
  ])
  expect(await runSwap(world, route, ask, route.expected)).toMatchObject({ paid: ask.amountIn })
  await expectNothingLeft(world, everyToken(world))
})

it('pairs of v2 deliver a taxed token less its tax, and the minimum counts the arrival', async () => {
  const buy = { tokenIn: zeroAddress, tokenOut: taxed, amountIn: ONE }
  await world.fund(zeroAddress, 3n * ONE)
  const route = await findRoute(world, buy)
  const delivered = route.expected - (route.expected * 3n) / 100n
  await expect(runSwap(world, route, buy, delivered + 1n)).rejects.toThrow('reverted')
  expect(await runSwap(world, route, buy, delivered)).toEqual({ paid: ONE, received: delivered })

  const sell = { tokenIn: taxed, tokenOut: zeroAddress, amountIn: 10n * ONE }
  await world.fund(taxed, sell.amountIn)
  const back = await findRoute(world, sell)
  const { paid, received } = await runSwap(world, back, sell, 1n)
  expect(paid).toBe(sell.amountIn)
  expect(received).toBeLessThan(back.expected)
  expect(received).toBeGreaterThan((back.expected * 96n) / 100n)
  await expectNothingLeft(world, everyToken(world))
})

it('for a token that retains a part a v3 pool counts its own output, and pairs alone are the other route', async () => {
  const sly = await world.createToken('HostileToken')
  await world.openPool(500, { token: world.wrapped, amount: 10n * ONE }, { token: sly, amount: 10n * ONE })
  const { abi } = compileSolidity(new URL('./SwapParties.sol', import.meta.url))['HostileToken']!
  await world.send(sly, abi, 'set', [4n])
  const ask = { tokenIn: zeroAddress, tokenOut: sly, amountIn: ONE / 100n }
  await world.fund(zeroAddress, ONE)
  const route = await findRoute(world, ask)
  const { received } = await runSwap(world, route, ask, route.expected)
  expect(received).toBe(route.expected - (route.expected * 3n) / 100n)
  expect(await route.otherwise?.()).toBeNull()
  expect((await findRoute(world, { ...ask, tokenOut: taxed })).otherwise).toBeUndefined()
})

it('a node that searches for too long times out, and is not asked again', async () => {
  const door = await startNodeDoor(world.node.url)
  const release = door.hold('eth_call')
  try {
    const { uniswap } = world.config.venues
    const config = {
      ...world.config,
      rpcUrls: [door.url],
      venues: { ...world.config.venues, uniswap: { ...uniswap!, timeoutMs: 1_000 } },
    }
    const ask = { tokenIn: zeroAddress, tokenOut: usd, amountIn: ONE }
    await expect(uniswapVenue.findRoute({ config, client: createClient(config) }, ask)).rejects.toMatchObject(
      { kind: 'unavailable' },
    )
    // The transport times out after ten seconds and retries once.
    expect(door.asked('eth_call')).toBe(1)
  } finally {
    release()
    await door.close()
  }
})

it.each([
  ['burns all gas', 1n],
  ['answers with a megabyte', 2n],
  ['answers in the words of the quoter', 3n],
])('a token that %s spoils no path but its own', async (_, mood) => {
  const abi = compileSolidity(new URL('./SwapParties.sol', import.meta.url))['HostileToken']!.abi
  await world.send(hostile, abi, 'set', [mood])
  world.config.venues.uniswap!.baseTokens = [hostile, usd, eur]
  try {
    const amountIn = ONE
    const { expected } = await findRoute(world, { tokenIn: zeroAddress, tokenOut: odd, amountIn })
    expect(expected).toBeGreaterThan(0n)
    // Only the v2 pair, whose quote moves no token, still has a price.
    const own = await findRoute(world, { tokenIn: zeroAddress, tokenOut: hostile, amountIn: ONE })
    expect(own.gasKey).toBe(`CLASSIC ${zeroAddress} v2 ${hostile} ${hostile}`)
    await world.fund(zeroAddress, ONE)
    await expect(
      runSwap(world, own, { tokenIn: zeroAddress, tokenOut: hostile, amountIn }, 1n),
    ).rejects.toThrow('reverted')
  } finally {
    world.config.venues.uniswap!.baseTokens = [usd, eur]
  }
})

it('the earlier quotes remain if tokens burn all gas that a node gives', async () => {
  const burner = await world.createToken('HostileToken')
  for (const token of [world.wrapped, usd, eur])
    for (const fee of [500, 3_000, 10_000])
      await world.openPool(fee, { token, amount: 100n * ONE }, { token: burner, amount: 100n * ONE })
  await world.openPair({ token: world.wrapped, amount: ONE }, { token: burner, amount: ONE })
  const { abi } = compileSolidity(new URL('./SwapParties.sol', import.meta.url))['HostileToken']!
  await world.send(burner, abi, 'set', [1n])
  const limit = async (gas: number) => {
    await world.node.ask('evm_setBlockGasLimit', numberToHex(gas))
    await world.node.ask('evm_mine')
  }
  try {
    for (const gas of [2_500_000, 3_500_000, 4_500_000, 30_000_000]) {
      await limit(gas)
      const { gasKey } = await findRoute(world, { tokenIn: zeroAddress, tokenOut: burner, amountIn: ONE })
      expect(gasKey).toBe(`CLASSIC ${zeroAddress} v2 ${burner} ${burner}`)
    }
  } finally {
    await limit(30_000_000)
  }
})
