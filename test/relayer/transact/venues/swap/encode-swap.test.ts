import { zeroAddress } from 'viem'
import { expect, it } from 'vitest'
import { encodeSwapCalls } from '../../../../../relayer/transact/venues/swap/uniswap/encode-swap.ts'
import type { Hop } from '../../../../../relayer/transact/venues/swap/uniswap/swap-path.ts'

const at = (digit: string) => `0x${digit.repeat(40)}` as const
const POOL = { version: 3, sqrtPrice: 1n, tick: 0, averageTick: null } as const
const HOPS: readonly Hop[] = [
  { ...POOL, fee: 500, tokenIn: at('1'), tokenOut: at('2') },
  { version: 2, reserveIn: 1n, reserveOut: 1n, tokenIn: at('2'), tokenOut: at('3') },
  { ...POOL, fee: 3_000, tokenIn: at('3'), tokenOut: at('4') },
]
const PART = {
  payer: at('5'),
  recipient: at('6'),
  amountIn: 1_000_000n,
  minimum: 990_000n,
  deadline: 1_800_000_000n,
}
const APPROVE = '0x095ea7b3'
const ROUTER_WORD = '9'.repeat(40).padStart(64, '0')
const approval = (amount: bigint) => ({
  to: at('1'),
  value: 0n,
  data: `${APPROVE}${ROUTER_WORD}${amount.toString(16).padStart(64, '0')}`,
})

/** A call of the router inside its multicall: the words of its arguments behind the function's selector. */
const inner = (selector: string, ...words: string[]) => {
  const data = `${selector}${words.map((word) => word.padStart(64, '0')).join('')}`
  const length = (data.length / 2).toString(16).padStart(64, '0')
  return `${length}${data}${'0'.repeat((64 - (data.length % 64)) % 64)}`
}
const TAIL = '0'.repeat(42)
const [AMOUNT, MINIMUM, ROUTER_ITSELF] = ['f4240', 'f1b30', '2']
const EXACT_INPUT = 'b858183f'
const SWAP_EXACT = '472b43f3'
const UNWRAP = '49404b7c'
const SWEEP = 'e90a182f'
const REFUND = '12210e8a'

/** multicall(deadline, calls). */
const multicall = (...calls: string[]) => {
  let place = calls.length * 32
  const offsets = calls.map((call) => {
    const here = place.toString(16).padStart(64, '0')
    place += call.length / 2
    return here
  })
  const word = (value: number) => value.toString(16).padStart(64, '0')
  return `0x5ae401dc${word(1_800_000_000)}${word(64)}${word(calls.length)}${offsets.join('')}${calls.join('')}`
}

it('tokens go through pools of both versions into coins by exactly these bytes', () => {
  const order = { router: at('9'), tokenIn: at('1'), tokenOut: zeroAddress, hops: HOPS }
  const first = `${'1'.repeat(40)}0001f4${'2'.repeat(40)}${TAIL}`
  const last = `${'3'.repeat(40)}000bb8${'4'.repeat(40)}${TAIL}`
  expect(encodeSwapCalls(order, { ...PART, allowance: 7n })).toEqual([
    approval(0n),
    approval(1_000_000n),
    {
      to: at('9'),
      value: 0n,
      data: multicall(
        inner(EXACT_INPUT, '20', '80', ROUTER_ITSELF, AMOUNT, '0', '2b', first.slice(0, 64), first.slice(64)),
        inner(SWAP_EXACT, '0', '0', '80', ROUTER_ITSELF, '2', '2'.repeat(40), '3'.repeat(40)),
        inner(EXACT_INPUT, '20', '80', ROUTER_ITSELF, '0', MINIMUM, '2b', last.slice(0, 64), last.slice(64)),
        inner(UNWRAP, MINIMUM, '6'.repeat(40)),
        inner(SWEEP, '3'.repeat(40), '0'),
      ),
    },
    approval(0n),
  ])
})

it('coins go through a pair of v2 into tokens without an approval, and the rest comes back', () => {
  const hops = HOPS.slice(1, 2)
  const order = { router: at('9'), tokenIn: zeroAddress, tokenOut: at('3'), hops }
  expect(encodeSwapCalls(order, { ...PART, allowance: 0n })).toEqual([
    {
      to: at('9'),
      value: 1_000_000n,
      data: multicall(
        inner(SWAP_EXACT, AMOUNT, MINIMUM, '80', '6'.repeat(40), '2', '2'.repeat(40), '3'.repeat(40)),
        inner(REFUND),
      ),
    },
  ])
})
