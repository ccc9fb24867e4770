import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  hexToBigInt,
  maxUint256,
  numberToHex,
  zeroAddress,
  type Abi,
  type Address,
  type Hex,
  type PublicClient,
} from 'viem'
import { chainConfig, type ChainConfig } from '../../../../../relayer/chain/nodes/config.ts'
import { createClient } from '../../../../../relayer/chain/nodes/open-chain.ts'
import type { Call } from '../../../../../relayer/transact/intents/intent.ts'
import { startNode, type Node } from '../../../chain/broadcast/start-node.ts'
import { compileSolidity } from '../../../market/tokens/compile-solidity.ts'

const resolve = createRequire(import.meta.url).resolve
const published = (path: string) => JSON.parse(readFileSync(resolve(path), 'utf8')) as Contract
interface Contract {
  abi: Abi
  bytecode: Hex
}

/** Liquidity of a pool in smallest units; in a v3 pool within `range` ticks around its price. */
interface Side {
  token: Address
  amount: bigint
}
type TokenKind = 'PlainToken' | 'TaxedToken' | 'StrictToken' | 'HostileToken'

/** A bare chain with the real contracts of Uniswap v2 and v3, on which gas costs nothing. */
export interface SwapWorld {
  node: Node
  client: PublicClient
  config: ChainConfig
  wrapped: Address
  router: Address
  quoter: Contract & { address: Address }
  /** A payer that makes several calls in one transaction. */
  payer: Address
  createToken(kind?: TokenKind): Promise<Address>
  openPool(fee: number, one: Side, other: Side, range?: number): Promise<Address>
  openPair(one: Side, other: Side): Promise<Address>
  /** Gives the payer coins or tokens; wrapped coins are wrapped from coins. */
  fund(token: Address, amount: bigint): Promise<void>
  /** Runs the payer's calls in one transaction. @throws Error when one of them fails; then nothing changes. */
  run(calls: readonly Call[]): Promise<void>
  send(to: Address, abi: Abi, functionName: string, args: readonly unknown[], value?: bigint): Promise<void>
  balanceOf(token: Address, owner: Address): Promise<bigint>
  allowanceOf(token: Address): Promise<bigint>
  stop(): Promise<void>
}

const SPACING: Record<number, number> = { 100: 1, 500: 10, 3_000: 60, 10_000: 200 }
const TICKS = 887_272
const MUCH = 10n ** 32n

export async function startSwapWorld(): Promise<SwapWorld> {
  const node = await startNode('--block-base-fee-per-gas', '0', '--gas-price', '0', '--balance', '100000000')
  const [from] = await node.ask<Address[]>('eth_accounts')
  const transact = async (transaction: { to?: Address; data: Hex; value?: Hex }): Promise<Address | null> => {
    const gas = numberToHex(16_000_000)
    const { status, contractAddress } = await node.ask<{ status: Hex; contractAddress: Address | null }>(
      'eth_sendTransactionSync',
      { from, gas, gasPrice: '0x0', ...transaction },
    )
    if (status !== '0x1') {
      await node.ask('eth_call', { from, gas, ...transaction }, 'latest')
      throw new Error('the transaction was reverted')
    }
    return contractAddress
  }
  const deploy = async ({ abi, bytecode }: Contract, ...args: unknown[]): Promise<Address> =>
    getAddress((await transact({ data: encodeDeployData({ abi, bytecode, args }) }))!)
  const send: SwapWorld['send'] = async (to, abi, functionName, args, value = 0n) => {
    const data = encodeFunctionData({ abi, functionName, args })
    await transact({ to, data, value: numberToHex(value) })
  }

  const weth = published('canonical-weth/build/contracts/WETH9.json')
  const pairs = published('@uniswap/v2-core/build/UniswapV2Factory.json')
  const pools = published('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json')
  const keeper = published(
    '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
  )
  const lens = published('@uniswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json')
  const router02 = published(
    '@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02.json',
  )
  const parties = compileSolidity(new URL('./SwapParties.sol', import.meta.url))
  const pairAbi = published('@uniswap/v2-core/build/UniswapV2Pair.json').abi

  const wrapped = await deploy(weth)
  const v2Factory = await deploy({ ...pairs, bytecode: `0x${pairs.bytecode.replace(/^0x/, '')}` }, from)
  const v3Factory = await deploy(pools)
  const positions = await deploy(keeper, v3Factory, wrapped, zeroAddress)
  const quoter = await deploy(lens, v3Factory, wrapped)
  const router = await deploy(router02, v2Factory, v3Factory, positions, wrapped)
  const payer = await deploy(parties['BatchPayer']!)
  // A fee tier that Uniswap's governance enabled after the factory was deployed.
  await send(v3Factory, pools.abi, 'enableFeeAmount', [100, 1])
  await send(wrapped, weth.abi, 'deposit', [], 10n ** 24n)
  await send(wrapped, weth.abi, 'approve', [positions, maxUint256])
  const config = chainConfig.parse({
    chainId: Number(await node.ask<Hex>('eth_chainId')),
    name: 'swaps',
    rpcUrls: [node.url],
    wrappedNative: wrapped,
    venues: { uniswap: { router, quoter, v3Factory, v2Factory } },
  })
  const client = createClient(config)
  const { abi: tokenAbi } = parties['PlainToken']!
  const read = <Value>(address: Address, abi: Abi, functionName: string, args: readonly unknown[]) =>
    client.readContract({ address, abi, functionName, args }) as Promise<Value>

  return {
    node,
    client,
    config,
    wrapped,
    router,
    quoter: { ...lens, address: quoter },
    payer,
    send,
    async createToken(kind = 'PlainToken') {
      const token = await deploy(parties[kind]!)
      await send(token, tokenAbi, 'mint', [from, MUCH])
      await send(token, tokenAbi, 'approve', [positions, maxUint256])
      return token
    },
    async openPool(fee, one, other, range = TICKS) {
      const [low, high] = inOrder(one, other)
      const sqrtPrice = squareRoot((high.amount << 192n) / low.amount)
      const tokens = [low.token, high.token, fee]
      await send(positions, keeper.abi, 'createAndInitializePoolIfNecessary', [...tokens, sqrtPrice])
      const spacing = SPACING[fee] ?? 1
      const middle = Math.log((Number(sqrtPrice) / 2 ** 96) ** 2) / Math.log(1.0001)
      const last = Math.floor(TICKS / spacing) * spacing
      await send(positions, keeper.abi, 'mint', [
        {
          token0: low.token,
          token1: high.token,
          fee,
          tickLower: Math.max(-last, Math.floor((middle - range) / spacing) * spacing),
          tickUpper: Math.min(last, Math.ceil((middle + range) / spacing) * spacing),
          amount0Desired: low.amount,
          amount1Desired: high.amount,
          amount0Min: 0n,
          amount1Min: 0n,
          recipient: from,
          deadline: maxUint256,
        },
      ])
      return read<Address>(v3Factory, pools.abi, 'getPool', tokens)
    },
    async openPair(one, other) {
      const tokens = [one.token, other.token]
      await send(v2Factory, pairs.abi, 'createPair', tokens)
      const pair = await read<Address>(v2Factory, pairs.abi, 'getPair', tokens)
      for (const { token, amount } of [one, other]) await send(token, erc20Abi, 'transfer', [pair, amount])
      await send(pair, pairAbi, 'mint', [from])
      return pair
    },
    async fund(token, amount) {
      if (token === zeroAddress)
        return void (await transact({ to: payer, data: '0x', value: numberToHex(amount) }))
      if (token !== wrapped) return send(token, tokenAbi, 'mint', [payer, amount])
      await send(wrapped, weth.abi, 'deposit', [], amount)
      await send(wrapped, weth.abi, 'transfer', [payer, amount])
    },
    run: (calls) => send(payer, parties['BatchPayer']!.abi, 'run', [calls]),
    balanceOf: (token, owner) =>
      token === zeroAddress
        ? client.getBalance({ address: owner })
        : read<bigint>(token, erc20Abi, 'balanceOf', [owner]),
    allowanceOf: (token) => read<bigint>(token, erc20Abi, 'allowance', [payer, router]),
    stop: () => node.stop(),
  }
}

const inOrder = (one: Side, other: Side): [Side, Side] =>
  hexToBigInt(one.token) < hexToBigInt(other.token) ? [one, other] : [other, one]

function squareRoot(square: bigint): bigint {
  let [root, next] = [square, (square + 1n) / 2n]
  while (next < root) [root, next] = [next, (next + square / next) / 2n]
  return root
}
