import { randomInt } from 'node:crypto'
import { encodeFunctionData, erc20Abi, zeroAddress, type Address } from 'viem'
import { expect } from 'vitest'
import { uniswapVenue } from '../../relayer/transact/venues/swap/uniswap/uniswap-venue.ts'
import type { SwapAsk, SwapRoute } from '../../relayer/transact/venues/swap/swap-venue.ts'
import { findBestByQuoter, type KnownPool } from '../relayer/transact/venues/swap/best-by-quoter.ts'
import { startSwapWorld, type SwapWorld } from '../relayer/transact/venues/swap/start-swap-world.ts'
import { expectNothingLeft, runSwap } from '../relayer/transact/venues/swap/swap-once.ts'

const TOKENS = 5
const FIRST_POOLS = 12
const MOST_POOLS = 22
const FEES = [100, 500, 3_000, 10_000, null, null]
const RANGES = [50, 700, 7_000, undefined]
/** One of this many quotes is compared with the best of all paths. */
const COMPARED = 6

/** The outcomes of a story's swaps. */
interface Tally {
  done: number
  unmoved: number
  refused: number
  hops: Map<string, number>
  compared: number
}

/**
 * Makes the given number of random swaps over random pools. The payer loses and the recipient gets the quoted amounts,
 * to the wei, unless a price moved in between. Then the recipient gets at least the minimum, or nothing at all has
 * happened.
 */
export async function randomSwapsStory(count: number, seed = randomInt(2 ** 31)): Promise<void> {
  const world = await startSwapWorld()
  const tally: Tally = { done: 0, unmoved: 0, refused: 0, hops: new Map(), compared: 0 }
  try {
    await playSwaps(world, count, createChance(seed), tally)
  } catch (cause) {
    throw new Error(`seed ${seed}, after ${tally.done} swaps`, { cause })
  } finally {
    await world.stop()
  }
  expect(tally.done).toBe(count)
  // Most are run at the price of their quote, some are refused; every number of hops and both versions occur.
  expect(tally.unmoved).toBeGreaterThan(count / 2)
  expect(tally.refused).toBeGreaterThan(0)
  expect(tally.compared).toBeGreaterThan(count / 100)
  for (const hops of ['1', '2', '3', 'v2', 'v3']) expect(tally.hops.get(hops) ?? 0).toBeGreaterThan(0)
}

async function playSwaps(world: SwapWorld, count: number, chance: Chance, tally: Tally): Promise<void> {
  const tokens: Address[] = [world.wrapped]
  while (tokens.length <= TOKENS) tokens.push(await world.createToken())
  const between = tokens.slice(0, 4)
  world.config.venues.uniswap!.baseTokens = between.slice(1)
  const pools: KnownPool[] = []
  while (pools.length < FIRST_POOLS) await openRandomPool(world, chance, tokens, pools)
  const places = [zeroAddress, ...tokens]
  const asWrapped = (token: Address) => (token === zeroAddress ? world.wrapped : token)

  while (tally.done < count) {
    if (pools.length < MOST_POOLS && chance.oneOf(20)) await openRandomPool(world, chance, tokens, pools)
    const ask = {
      tokenIn: chance.pick(places),
      tokenOut: chance.pick(places),
      amountIn: chance.amount(6, 21),
    }
    const route = await uniswapVenue.findRoute(world, ask)
    if (chance.oneOf(COMPARED) && asWrapped(ask.tokenIn) !== asWrapped(ask.tokenOut)) {
      const plain = { ...ask, tokenIn: asWrapped(ask.tokenIn), tokenOut: asWrapped(ask.tokenOut) }
      const given = route?.expected ?? 0n
      const all = await findBestByQuoter(world, pools, between, plain, 16_000_000n)
      expect(given).toBeLessThanOrEqual(all.best)
      const cheap = await findBestByQuoter(world, pools, between, plain, 400_000n)
      // If a pool cannot take the output of the best way to its token, lesser ways are not tried.
      if (cheap.isWhole) {
        expect(given).toBeGreaterThanOrEqual(cheap.best)
        tally.compared += 1
      }
    }
    if (!route) continue
    await playOne(world, chance, ask, route, tally)
    await expectNothingLeft(world, tokens)
    tally.done += 1
  }
}

async function playOne(
  world: SwapWorld,
  chance: Chance,
  ask: SwapAsk,
  route: SwapRoute,
  tally: Tally,
): Promise<void> {
  const { tokenIn, tokenOut, amountIn } = ask
  const isMoved = chance.oneOf(3)
  if (isMoved) {
    const other = chance.oneOf(2) ? ask : { tokenIn: tokenOut, tokenOut: tokenIn, amountIn: route.expected }
    const move = await uniswapVenue.findRoute(world, other)
    await world.fund(other.tokenIn, other.amountIn)
    if (move) await runSwap(world, move, other, 0n)
  }
  await world.fund(tokenIn, amountIn)
  if (tokenIn !== zeroAddress && chance.oneOf(4))
    await world.run([approve(world, tokenIn, chance.amount(0, 30))])
  const slippage = chance.pick([0n, 50n, 300n])
  const minimum = (route.expected * (10_000n - slippage)) / 10_000n
  const before = await world.balanceOf(tokenIn, world.payer)
  const moved = await runSwap(world, route, ask, minimum).catch((error: Error) => {
    if (!/reverted/.test(error.message)) throw error
    return null
  })
  if (!isMoved) {
    expect(moved).toEqual({ paid: amountIn, received: route.expected })
    tally.unmoved += 1
    noteHops(route, tally)
  } else if (moved) {
    expect(moved.received).toBeGreaterThanOrEqual(minimum)
    expect(moved.paid).toBeLessThanOrEqual(amountIn)
  } else {
    expect(await world.balanceOf(tokenIn, world.payer)).toBe(before)
    if (tokenIn !== zeroAddress) await world.run([approve(world, tokenIn, 0n)])
    tally.refused += 1
  }
}

const approve = ({ router }: SwapWorld, token: Address, amount: bigint) => ({
  to: token,
  value: 0n,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [router, amount] }),
})

/** A key is the routing, the input, a sort of pool and a token for each hop, and the output. */
function noteHops({ gasKey }: SwapRoute, { hops }: Tally): void {
  const words = gasKey.split(' ').slice(2, -1)
  const sorts = words.filter((_, place) => place % 2 === 0)
  const versions = new Set(sorts.map((sort) => (sort === 'v2' ? 'v2' : 'v3')))
  for (const name of [String(sorts.length), ...versions]) hops.set(name, (hops.get(name) ?? 0) + 1)
}

async function openRandomPool(
  world: SwapWorld,
  chance: Chance,
  tokens: readonly Address[],
  pools: KnownPool[],
): Promise<void> {
  const [one, other] = [chance.pick(tokens), chance.pick(tokens)]
  const fee = chance.pick(FEES)
  const isSame = (pool: KnownPool) =>
    pool.fee === fee && pool.tokens.includes(one) && pool.tokens.includes(other)
  if (one === other || pools.some(isSame)) return
  const sides = [
    { token: one, amount: chance.amount(15, 23) },
    { token: other, amount: chance.amount(15, 23) },
  ] as const
  const address =
    fee === null ? await world.openPair(...sides) : await world.openPool(fee, ...sides, chance.pick(RANGES))
  pools.push({ address, tokens: [one, other], fee })
}

/** Chance that can be repeated by its seed. */
interface Chance {
  oneOf(many: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** Of 10^least to 10^most, each order of magnitude as often. */
  amount(least: number, most: number): bigint
}

function createChance(seed: number): Chance {
  let state = seed
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    oneOf: (many) => next() * many < 1,
    pick: <Item>(items: readonly Item[]) => items[Math.floor(next() * items.length)] as Item,
    amount: (least, most) => BigInt(Math.floor(10 ** (least + next() * (most - least)))),
  }
}
