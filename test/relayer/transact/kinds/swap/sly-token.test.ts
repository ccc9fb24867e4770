import {
  decodeFunctionData,
  maxUint256,
  parseAbi,
  parseEther,
  zeroAddress,
  type Abi,
  type Address,
  type Hex,
} from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routerAbi } from '../../../../../relayer/transact/venues/swap/uniswap/encode-swap.ts'
import { decodeCalls } from '../../../../../schema/client/chain/decode-call.ts'
import type { SwapQuote } from '../../../../../schema/client/quotes/swap.ts'
import { openPayer, type Payer } from '../../../../harness/chain-actors.ts'
import type { TestService } from '../../../../harness/start-service.ts'
import { compileSolidity } from '../../../market/tokens/compile-solidity.ts'
import { startSendingService } from '../../quotes/start-sending-service.ts'
import { openWalletSender, type WalletSender } from '../../submissions/open-wallet-sender.ts'

const positionsAbi = parseAbi([
  'function deposit() payable',
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPrice) payable returns (address)',
  'struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(Mint params) payable returns (uint256, uint128, uint256, uint256)',
])
const ONE = parseEther('1')
const { SlyToken } = compileSolidity(new URL('./SlyToken.sol', import.meta.url))
/** Less than a price may move between two runs, so the amount alone does not show it. */
const TAX_BPS = 30n

let service: TestService
let payer: Payer
let alice: WalletSender
/** The devnet's euro with other code: a v2 pair, and a deeper v3 pool that was filled before it took a tax. */
let sly: Address
/** Only in a v3 pool. */
let poolOnly: Address

beforeAll(async () => {
  service = await startSendingService()
  payer = await openPayer(service, 5)
  alice = await openWalletSender(service, payer)
  const { reader, sender } = payer.wallet
  const deploy = async () => {
    const hash = await sender.deployContract({ ...SlyToken!, args: [] })
    return (await reader.waitForTransactionReceipt({ hash })).contractAddress!
  }
  poolOnly = await deploy()
  sly = payer.chain.tokens[1]!.address
  await reader.request({
    method: 'anvil_setCode',
    params: [sly, await reader.getCode({ address: poolOnly })],
  } as never)
  for (const token of [sly, poolOnly]) await openPool(token)
  await alice.receiveAll(zeroAddress, [4n * ONE])
  await alice.receiveAll(sly, [2_000n * ONE])
  for (const token of [sly, poolOnly]) await write(token, SlyToken!.abi, 'setTax', [TAX_BPS])
})
afterAll(() => service?.stop())

async function write(address: Address, abi: Abi, functionName: string, args: unknown[], value = 0n) {
  const hash = await payer.wallet.sender.writeContract({
    address,
    abi,
    functionName,
    args,
    value,
    gas: 8_000_000n,
  })
  expect((await payer.wallet.reader.waitForTransactionReceipt({ hash })).status).toBe('success')
}

/** Liquidity: 500 coins on one side, tokens of the same value on the other. */
async function openPool(token: Address): Promise<void> {
  const { wrappedNative: wrapped, uniswap } = payer.chain
  const [coins, tokens] = [500n * ONE, 500n * 3_000n * ONE]
  const self = payer.wallet.account.address
  await write(wrapped, positionsAbi, 'deposit', [], coins)
  await write(token, SlyToken!.abi, 'mint', [self, tokens])
  for (const one of [wrapped, token])
    await write(one, SlyToken!.abi, 'approve', [uniswap.positions, maxUint256])
  const isFirst = BigInt(wrapped) < BigInt(token)
  const [token0, token1] = isFirst ? [wrapped, token] : [token, wrapped]
  const [amount0, amount1] = isFirst ? [coins, tokens] : [tokens, coins]
  const root = Math.sqrt(isFirst ? 3_000 : 1 / 3_000)
  const sqrtPrice = BigInt(Math.round(root * 2 ** 48)) << 48n
  await write(uniswap.positions, positionsAbi, 'createAndInitializePoolIfNecessary', [
    token0,
    token1,
    500,
    sqrtPrice,
  ])
  await write(uniswap.positions, positionsAbi, 'mint', [
    {
      token0,
      token1,
      fee: 500,
      tickLower: -887_270,
      tickUpper: 887_270,
      amount0Desired: amount0,
      amount1Desired: amount1,
      amount0Min: 0n,
      amount1Min: 0n,
      recipient: self,
      deadline: maxUint256,
    },
  ])
}

const balanceOf = (token: Address, owner: Address) =>
  token === zeroAddress
    ? payer.wallet.reader.getBalance({ address: owner })
    : (payer.wallet.reader.readContract({
        address: token,
        abi: SlyToken!.abi,
        functionName: 'balanceOf',
        args: [owner],
      }) as Promise<bigint>)

/** The calls that the router gets. */
function functionsOf(quote: SwapQuote): string[] {
  const calls = decodeCalls(quote.intents[0]!.executionData)
  const swap = calls.find(({ to }) => to.toLowerCase() === payer.chain.uniswap.router.toLowerCase())!
  const { args } = decodeFunctionData({ abi: routerAbi, data: swap.data })
  const [, parts] = args as unknown as [bigint, readonly Hex[]]
  return parts.map((data) => decodeFunctionData({ abi: routerAbi, data }).functionName)
}

it.each([
  ['bought', () => [zeroAddress, ONE, sly]],
  ['sold', () => [sly, 600n * ONE, zeroAddress]],
] as const)(
  'a token that keeps a part is %s through a pair, though a pool promises more',
  async (_, choose) => {
    const [tokenIn, amountIn, tokenOut] = choose() as [Address, bigint, Address]
    const quote = (await alice.quote({
      type: 'swap',
      tokenIn,
      tokenOut,
      amountIn: String(amountIn),
    })) as SwapQuote
    expect(functionsOf(quote)[0]).toBe('swapExactTokensForTokens')
    const submitted = await alice.post('/submit', await alice.sign(quote))
    expect(submitted, JSON.stringify(submitted.body)).toMatchObject({ status: 200 })
    await expect
      .poll(async () => (await alice.get(`/relay-status/${quote.quoteId}`)).body, { timeout: 60_000 })
      .toMatchObject({ status: 'confirmed' })
    const got = await balanceOf(tokenOut, quote.outputRecipient)
    expect(got).toBe(BigInt(quote.expectedOutput))
    expect(got).toBeGreaterThanOrEqual(BigInt(quote.minimumOutput))
  },
)

it('max-spendable of such a token is the amount that a pair accepts', async () => {
  const most = await alice.post('/max-spendable', {
    type: 'swap',
    chainId: payer.chain.chainId,
    token: sly,
    tokenOut: zeroAddress,
  })
  expect(most).toMatchObject({ status: 200, body: { maxAmount: expect.stringMatching(/^\d{21,}$/) } })
})

it('a token that retains a part, and is in a pool only, is refused however small that part is', async () => {
  const ask = { type: 'swap', chainId: payer.chain.chainId, tokenIn: zeroAddress, amountIn: String(ONE) }
  expect(await alice.post('/quote', { ...ask, tokenOut: poolOnly })).toMatchObject({
    status: 400,
    body: { code: 'SIMULATION_FAILED', message: expect.stringContaining('keeps a part') },
  })
  await write(poolOnly, SlyToken!.abi, 'setTax', [0n])
  const quote = (await alice.quote({ ...ask, tokenOut: poolOnly })) as SwapQuote
  await write(poolOnly, SlyToken!.abi, 'setTax', [1n])
  expect(await alice.post('/submit', await alice.sign(quote))).toMatchObject({
    status: 400,
    body: { code: 'SIMULATION_FAILED', message: expect.stringContaining('keeps a part') },
  })
})
