import { decodeFunctionData, erc20Abi, zeroAddress, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect } from 'vitest'
import type { Call } from '../../../../../relayer/transact/intents/intent.ts'
import { routerAbi } from '../../../../../relayer/transact/venues/swap/uniswap/encode-swap.ts'
import { uniswapVenue } from '../../../../../relayer/transact/venues/swap/uniswap/uniswap-venue.ts'
import type { SwapAsk, SwapRoute } from '../../../../../relayer/transact/venues/swap/swap-venue.ts'
import type { SwapWorld } from './start-swap-world.ts'

export const DEADLINE = 4_000_000_000n
export const somebody = () => privateKeyToAddress(generatePrivateKey())

/** The venue's route. @throws Error when it has none. */
export async function findRoute(world: SwapWorld, ask: SwapAsk): Promise<SwapRoute> {
  const route = await uniswapVenue.findRoute(world, ask)
  if (!route) throw new Error('the venue has no route')
  return route
}

/** The parts that a client decodes from the calls of a swap. */
export interface ReadSwap {
  /** Function names of the router's calls in order. */
  functions: string[]
  deadline: bigint
  /** Least outputs, in every place that names one. */
  minimums: bigint[]
  approvals: bigint[]
  value: bigint
}

export function readSwap(calls: readonly Call[], router: Address): ReadSwap {
  const toRouter = calls.filter(({ to }) => to === router)
  expect(toRouter).toHaveLength(1)
  const [{ data, value }] = toRouter as [Call]
  const { args } = decodeFunctionData({ abi: routerAbi, data })
  const [deadline, inner] = args as unknown as [bigint, Hex[]]
  const decoded = inner.map((one) => decodeFunctionData({ abi: routerAbi, data: one }))
  const minimums = decoded.flatMap((call) => {
    if (call.functionName === 'exactInput') return [call.args[0].amountOutMinimum]
    if (call.functionName === 'swapExactTokensForTokens') return [call.args[1]]
    return call.functionName === 'unwrapWETH9' ? [call.args[0]] : []
  })
  const legs = decoded.filter(({ functionName }) => /^(?:exactInput|swapExact)/.test(functionName)).length
  return {
    functions: decoded.map(({ functionName }) => functionName),
    deadline,
    // Only the last leg has a minimum.
    minimums: minimums.slice(legs - 1),
    approvals: calls
      .filter(({ to }) => to !== router)
      .map((call) => {
        const approval = decodeFunctionData({ abi: erc20Abi, data: call.data })
        expect(approval).toMatchObject({ functionName: 'approve', args: [router, expect.any(BigInt)] })
        const [, amount] = approval.args as [Address, bigint]
        return amount
      }),
    value,
  }
}

/** The amounts that a swap moved. */
export interface Moved {
  paid: bigint
  received: bigint
}

/** Runs a route's calls for the payer. @returns What was moved. The router must hold nothing afterwards. */
export async function runSwap(
  world: SwapWorld,
  route: SwapRoute,
  { tokenIn, tokenOut, amountIn }: SwapAsk,
  minimum: bigint,
): Promise<Moved> {
  const { payer, router } = world
  const recipient = somebody()
  const allowance = tokenIn === zeroAddress ? 0n : await world.allowanceOf(tokenIn)
  const calls = await route.calls({ payer, recipient, amountIn, minimum, deadline: DEADLINE, allowance })
  const { minimums, deadline } = readSwap(calls, router)
  expect(new Set(minimums)).toEqual(new Set([minimum]))
  expect(deadline).toBe(DEADLINE)
  const before = await world.balanceOf(tokenIn, payer)
  await world.run(calls)
  return {
    paid: before - (await world.balanceOf(tokenIn, payer)),
    received: await world.balanceOf(tokenOut, recipient),
  }
}

/** Nothing is left in the router, from which anybody could take it. */
export async function expectNothingLeft(world: SwapWorld, tokens: readonly Address[]): Promise<void> {
  const left = await Promise.all(
    [zeroAddress, ...tokens].map(async (token) => ({
      token,
      balance: await world.balanceOf(token, world.router),
      allowance: token === zeroAddress ? 0n : await world.allowanceOf(token),
    })),
  )
  expect(left.filter(({ balance, allowance }) => balance > 0n || allowance > 0n)).toEqual([])
}
