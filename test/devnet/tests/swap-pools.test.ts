import { encodeFunctionData, erc20Abi, maxUint256, parseAbi, parseEther, parseUnits } from 'viem'
import type { Abi, Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { quoteAtTick } from '../../../relayer/market/prices/read-twap.ts'
import { connectWallet, type Wallet } from '../wallet/connect-wallet.ts'
import { at } from '../../vectors/relay-story.ts'
import { startTestDevnet, type TestDevnet } from '../../harness/start-test-devnet.ts'

const abi = parseAbi([
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address)',
  'function getPair(address tokenA, address tokenB) view returns (address)',
  'function getReserves() view returns (uint112, uint112, uint32)',
  'function token0() view returns (address)',
  'function slot0() view returns (uint160, int24 tick, uint16, uint16, uint16, uint8, bool)',
  'function observe(uint32[] secondsAgos) view returns (int56[] tickCumulatives, uint160[])',
  'struct Ask { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }',
  'function quoteExactInputSingle(Ask ask) returns (uint256 amountOut, uint160, uint32, uint256)',
  'struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Single params) payable returns (uint256)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to) payable returns (uint256)',
  'function multicall(bytes[] data) payable returns (bytes[])',
  'function refundETH() payable',
  'error AllowanceStands(uint256 allowance)',
  'function approve(address spender, uint256 value) returns (bool)',
])

const anyCall: Abi = abi

let test: TestDevnet
let wallet: Wallet
let wrapped: Address
let dollar: Address
let euro: Address
let strict: Address
let taxed: Address

beforeAll(async () => {
  test = await startTestDevnet({ deterministic: true })
  wallet = connectWallet(test.chain, at(test.chain.accounts, 0).privateKey)
  wrapped = test.chain.wrappedNative
  strict = test.chain.strictToken.address
  taxed = test.chain.taxedToken.address
  dollar = at(test.chain.tokens, 0).address
  euro = at(test.chain.tokens, 1).address
})
afterAll(() => test[Symbol.asyncDispose]())

async function read<T>(address: Address, functionName: string, args: readonly unknown[] = []): Promise<T> {
  const value: unknown = await wallet.reader.readContract({ address, abi: anyCall, functionName, args })
  return value as T
}
const poolOf = (a: Address, b: Address, fee: number) =>
  read<Address>(test.chain.uniswap.v3Factory, 'getPool', [a, b, fee])
const pairOf = (a: Address, b: Address) => read<Address>(test.chain.uniswap.v2Factory, 'getPair', [a, b])
const balance = (token: Address, owner: Address) =>
  wallet.reader.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
const freshAddress = () => privateKeyToAddress(generatePrivateKey())

async function send(to: Address, data: `0x${string}`, value = 0n): Promise<void> {
  const hash = await wallet.sender.sendTransaction({ to, data, value })
  const { status } = await wallet.reader.waitForTransactionReceipt({ hash })
  expect(status).toBe('success')
}

const buy = (tokenOut: Address, fee: number, recipient: Address, amountIn: bigint) =>
  encodeFunctionData({
    abi,
    functionName: 'exactInputSingle',
    args: [
      {
        tokenIn: wrapped,
        tokenOut,
        fee,
        recipient,
        amountIn,
        amountOutMinimum: 0n,
        sqrtPriceLimitX96: 0n,
      },
    ],
  })

async function quote(fee: number, amountIn: bigint): Promise<bigint> {
  const ask = { tokenIn: wrapped, tokenOut: dollar, amountIn, fee, sqrtPriceLimitX96: 0n }
  const { result } = await wallet.reader.simulateContract({
    address: test.chain.uniswap.quoter,
    abi,
    functionName: 'quoteExactInputSingle',
    args: [ask],
  })
  return result[0]
}

it('creates v3 pools at the fixed prices, with an average of the last ten minutes', async () => {
  const pools = [
    [wrapped, dollar, 500, parseUnits('3000', 6)],
    [wrapped, dollar, 3_000, parseUnits('3000', 6)],
    [euro, dollar, 500, parseUnits('1', 6)],
    [wrapped, strict, 10_000, parseUnits('3000', 6)],
  ] as const
  for (const [one, other, fee, price] of pools) {
    const pool = await poolOf(one, other, fee)
    const [, tick] = await read<readonly [bigint, number]>(pool, 'slot0')
    const [[before, now]] = await read<[[bigint, bigint]]>(pool, 'observe', [[600, 0]])
    const otherIsToken0 = (await read<Address>(pool, 'token0')) === other
    // A tick is a ten-thousandth of the price.
    expect(Number(quoteAtTick(tick, otherIsToken0)) / Number(price)).toBeCloseTo(1, 3)
    expect((now - before) / 600n).toBe(BigInt(tick))
  }
})

it('creates v2 pairs at the fixed prices', async () => {
  const pairs = [
    [wrapped, euro, 3_000],
    [wrapped, taxed, 3_000],
    [dollar, strict, 1],
  ] as const
  for (const [one, other, price] of pairs) {
    const pair = await pairOf(one, other)
    const [reserve0, reserve1] = await read<[bigint, bigint]>(pair, 'getReserves')
    const [a, b] = (await read<Address>(pair, 'token0')) === one ? [reserve0, reserve1] : [reserve1, reserve0]
    expect(b).toBe(a * BigInt(price))
  }
})

it('preserves the average of a pool that is swapped in many blocks', async () => {
  const pool = await poolOf(wrapped, dollar, 3_000)
  const { router } = test.chain.uniswap
  for (let swap = 0; swap < 5; swap++)
    await send(router, buy(dollar, 3_000, freshAddress(), parseEther('1')), parseEther('1'))
  const [, tick] = await read<readonly [bigint, number]>(pool, 'slot0')
  const [[before, now]] = await read<[[bigint, bigint]]>(pool, 'observe', [[600, 0]])
  expect(Math.abs(Number(now - before) / 600 - tick)).toBeGreaterThan(100)
})

it("the router swaps at the quoter's amounts; a deeper pool gives more", async () => {
  const recipient = freshAddress()
  const amount = parseEther('10')
  const quoted = await quote(500, amount)
  await send(test.chain.uniswap.router, buy(dollar, 500, recipient, amount), amount)
  expect(await balance(dollar, recipient)).toBe(quoted)
  expect(quoted).toBeGreaterThan(await quote(3_000, amount))
})

it('takes only a part of a coin in the narrow pool and gives the rest back on demand', async () => {
  const amount = parseEther('3')
  const before = await wallet.reader.getBalance({ address: wallet.account.address })
  const calls = [
    buy(strict, 10_000, freshAddress(), amount),
    encodeFunctionData({ abi, functionName: 'refundETH' }),
  ]
  await send(
    test.chain.uniswap.router,
    encodeFunctionData({ abi, functionName: 'multicall', args: [calls] }),
    amount,
  )
  const spent = before - (await wallet.reader.getBalance({ address: wallet.account.address }))
  expect(spent).toBeGreaterThan(parseEther('0.1'))
  expect(spent).toBeLessThan(parseEther('1'))
})

it('delivers 3 % less of the taxed token than its pair pays', async () => {
  const recipient = freshAddress()
  const pair = await pairOf(wrapped, taxed)
  const before = await balance(taxed, pair)
  const args = [parseEther('1'), 0n, [wrapped, taxed], recipient] as const
  const swap = encodeFunctionData({ abi, functionName: 'swapExactTokensForTokens', args })
  await send(test.chain.uniswap.router, swap, parseEther('1'))
  const paid = before - (await balance(taxed, pair))
  expect(await balance(taxed, recipient)).toBe(paid - (paid * 3n) / 100n)
})

it('refuses to replace an allowance of the strict token until it is zero', async () => {
  const approve = (value: bigint) =>
    encodeFunctionData({ abi, functionName: 'approve', args: [test.chain.uniswap.router, value] })
  await send(strict, approve(1n))
  await expect(
    wallet.reader.simulateContract({
      account: wallet.account,
      address: strict,
      abi,
      functionName: 'approve',
      args: [test.chain.uniswap.router, maxUint256],
    }),
  ).rejects.toThrow('AllowanceStands')
  await send(strict, approve(0n))
  await send(strict, approve(2n))
})
