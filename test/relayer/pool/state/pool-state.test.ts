import { pino } from 'pino'
import { parseAbi, parseEther, zeroAddress, type Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMemoryState } from '../../../../db/shared-state/create-memory-state.ts'
import type { RelayingConfig } from '../../../../relayer/chain/nodes/config.ts'
import { openChain, type OpenChain } from '../../../../relayer/chain/nodes/open-chain.ts'
import { deriveAccounts } from '../../../devnet/accounts.ts'
import { associationSetsAbi } from '../../../devnet/pool-events.ts'
import { writeCid } from '../../../devnet/asp/review-deposits.ts'
import { connectWallet } from '../../../devnet/wallet/connect-wallet.ts'
import { deposit } from '../../../devnet/wallet/deposit.ts'
import { NATIVE_ASSET } from '../../../../relayer/chain/nodes/config.ts'
import { poolAbi } from '../../../../relayer/chain/contracts/privacy-pools.ts'
import { findAccountPool } from '../../../../relayer/pool/state/find-account-pool.ts'
import { followPools, type PoolState } from '../../../../relayer/pool/state/pool-state.ts'
import { askNode } from '../../../harness/ask-node.ts'
import { countRpc, type RpcCounter } from '../../../harness/count-rpc.ts'
import { startTestDevnet, type TestDevnet } from '../../../harness/start-test-devnet.ts'

let devnet: TestDevnet
let counter: RpcCounter
let chain: OpenChain<RelayingConfig>
let pools: PoolState
const accounts = deriveAccounts()
const walletOf = (account: { privateKey: `0x${string}` }) =>
  connectWallet({ chainId: 31_337, rpcUrl: devnet.chain.rpcUrl }, account.privateKey)

beforeAll(async () => {
  devnet = await startTestDevnet()
  // The head is read when the test says so, and not before.
  const settings = devnet.devnet.chains[0]!
  counter = await countRpc(settings.rpcUrls[0]!)
  chain = openChain(
    { ...settings, relayer: settings.relayer!, rpcUrls: [counter.url], pollIntervalMs: 60_000 },
    pino({ level: 'silent' }),
  )
  pools = followPools(chain, pino({ level: 'silent' }))
  expect(pools.isFresh()).toBe(false)
  await chain.start()
})
afterAll(async () => {
  await chain?.stop()
  await counter?.close()
  await devnet?.[Symbol.asyncDispose]()
})

const native = () => pools.byAsset(NATIVE_ASSET)!
async function insertLeaf(): Promise<bigint> {
  const { entrypoint } = chain.config.relayer
  const wallet = walletOf(accounts.clients[0]!)
  await deposit(wallet, { entrypoint, asset: NATIVE_ASSET, pool: native().address, gross: parseEther('0.1') })
  return chain.client.readContract({ address: native().address, abi: poolAbi, functionName: 'currentRoot' })
}

test('the state has the pools of the first head by asset and by scope', () => {
  expect(pools.isFresh()).toBe(true)
  expect(pools.pools().map(({ asset }) => asset.symbol)).toEqual(
    chain.config.relayer.assets.map(({ symbol }) => symbol),
  )
  expect(pools.byScope(native().scope)).toBe(native())
})

test('an account finds the pool of a token by the word of the API and by that of the pools', async () => {
  const parts = (features: string[] = [], state = pools) => ({
    served: new Set([31_337, 5]),
    chains: new Map([[31_337, { chain, pools: state }]]),
    featuresOf: async () => new Set(features),
  })
  const find = (chainId: number, token: Address, given = parts()) =>
    findAccountPool(given, 'any account', { chainId, token })
  for (const token of [zeroAddress, NATIVE_ASSET] as const)
    expect((await find(31_337, token)).pool).toBe(native())
  await expect(find(6, zeroAddress)).rejects.toMatchObject({ code: 'CHAIN_NOT_SUPPORTED' })
  await expect(find(5, zeroAddress)).rejects.toMatchObject({ code: 'POOL_NOT_FOUND' })
  const stranger = accounts.clients[0]!.address
  await expect(find(31_337, stranger)).rejects.toMatchObject({ code: 'POOL_NOT_FOUND' })
  // One behind a feature is hidden even while the pools are being read.
  const unread = { ...pools, byAsset: () => undefined, isIncomplete: () => true }
  await expect(find(31_337, zeroAddress, parts([], unread))).rejects.toMatchObject({
    code: 'POOL_STATE_REFRESHING',
  })
  const hidden = { ...chain, config: { ...chain.config, relayer: { ...chain.config.relayer } } }
  hidden.config.relayer.assets = hidden.config.relayer.assets.map((asset) => ({ ...asset, feature: 'beta' }))
  const behind = (features: string[], state: PoolState) => ({
    ...parts(features),
    chains: new Map([[31_337, { chain: hidden, pools: state }]]),
  })
  await expect(find(31_337, zeroAddress, behind([], unread))).rejects.toMatchObject({
    code: 'POOL_NOT_FOUND',
  })
  expect((await find(31_337, zeroAddress, behind(['beta'], pools))).pool).toBe(native())
})

test('the state finds a root before the next head, but not an invented one', async () => {
  const root = await insertLeaf()
  expect(await pools.knowsStateRoot(native(), root)).toBe(true)
  expect(await pools.knowsStateRoot(native(), root + 1n)).toBe(false)
})

/** Calls of the round trips since the last look, beside those for the head. */
const takeCalls = () =>
  counter
    .take()
    .flat()
    .filter((method) => method === 'eth_call').length

test('the state counts later roots and reads each new root once, also when the ring is full', async () => {
  const before = await insertLeaf()
  await chain.refresh()
  expect(await pools.ageOfRoot(native(), before)).toMatchObject({ followers: 0 })
  const roots: bigint[] = []
  // Several between two heads, then one at a time, past the end of the ring.
  for (let index = 0; index < 62; index += 1) roots.push(await insertLeaf())
  await chain.refresh()
  for (let index = 0; index < 4; index += 1) {
    takeCalls()
    roots.push(await insertLeaf())
    takeCalls()
    await chain.refresh()
    // Each pool is asked for its size, its newest root, the next, and its terms; the Entrypoint for the ASP root.
    expect(takeCalls()).toBeLessThanOrEqual(pools.pools().length * 4 + 1)
    const read = await Promise.all(roots.map((root) => pools.ageOfRoot(native(), root)))
    const ages = read.map((age) => age?.followers ?? null)
    const expected = roots.map((_, place) => roots.length - 1 - place).map((age) => (age < 64 ? age : null))
    expect(ages).toEqual(expected)
    // The newest are known without another read of the chain.
    takeCalls()
    for (const root of roots.slice(-64)) expect(await pools.knowsStateRoot(native(), root)).toBe(true)
    expect(takeCalls()).toBe(0)
  }
  expect(await pools.ageOfRoot(native(), before)).toBeNull()
  expect(await pools.knowsStateRoot(native(), before)).toBe(false)
})

test('the state gives, as of one block, how many roots have followed and which notes are spent', async () => {
  const root = await insertLeaf()
  await chain.refresh()
  // Inserted after the last head: they count, as they do when a relay is accepted.
  await insertLeaf()
  await insertLeaf()
  const asOf = BigInt(await askNode<string>(devnet.chain.rpcUrl, 'eth_blockNumber'))
  expect(await pools.ageBeside(native(), root, [1n, 2n])).toEqual({ followers: 2, asOf, spent: [] })
  expect(await pools.ageBeside(native(), root + 1n, [])).toBeNull()
  expect(await pools.ageBeside(native(), 0n, [])).toBeNull()
})

test('the state finds a new ASP root at once and forgets the one before', async () => {
  const { reader, sender } = walletOf(accounts.postman)
  const update = async (root: bigint) => {
    const args = [root, writeCid(1)] as const
    const call = {
      address: chain.config.relayer.entrypoint,
      abi: associationSetsAbi,
      functionName: 'updateRoot',
      args,
    } as const
    await reader.waitForTransactionReceipt({ hash: await sender.writeContract(call) })
  }
  await update(111n)
  expect(await pools.isLatestAspRoot(111n)).toBe(true)
  await update(222n)
  expect(await pools.isLatestAspRoot(222n)).toBe(true)
  expect(await pools.isLatestAspRoot(111n)).toBe(false)
})

test('instances that share their looks take heads, roots and terms from the one that looks, and ask nothing themselves', async () => {
  const logger = pino({ level: 'silent' })
  const shared = createMemoryState(logger)
  const asked = await countRpc(devnet.chain.rpcUrl)
  const looking = openChain(chain.config, logger, shared)
  const hearing = openChain({ ...chain.config, rpcUrls: [asked.url] }, logger, shared)
  const [read, told] = [followPools(looking, logger), followPools(hearing, logger)]
  try {
    await looking.start()
    await hearing.start()
    asked.take()
    for (let round = 0; round < 3; round += 1) {
      const inserted = [await insertLeaf(), await insertLeaf()]
      const head = await looking.refresh()
      await expect.poll(() => hearing.head()?.hash).toBe(head.hash)
      expect(hearing.nextBlock()).toMatchObject({ baseFeePerGas: looking.nextBlock()!.baseFeePerGas })
      expect(hearing.tip()).toBe(looking.tip())
      const pool = told.byAsset(NATIVE_ASSET)!
      for (const root of inserted) {
        expect(await told.knowsStateRoot(pool, root)).toBe(true)
        expect(await told.ageOfRoot(pool, root)).toEqual(await read.ageOfRoot(pool, root))
      }
      expect(told.aspRoot()).toBe(read.aspRoot())
      expect(told.pools()).toEqual(read.pools())
    }
    expect(asked.take()).toEqual([])
    // More roots than one report carries: those in between are read.
    for (let index = 0; index < 20; index += 1) await insertLeaf()
    const newest = await insertLeaf()
    const head = await looking.refresh()
    await expect
      .poll(() => told.ageOfRoot(told.byAsset(NATIVE_ASSET)!, newest))
      .toEqual({
        followers: 0,
        asOf: head.number,
      })
    // On a new connection it first asks the node its chain.
    const methods = asked.take().flat()
    expect(new Set(methods.filter((method) => method !== 'eth_chainId'))).toEqual(new Set(['eth_call']))
  } finally {
    await looking.stop()
    await hearing.stop()
    await asked.close()
  }
})

test('a root that a reorg removed is forgotten after the next lookup', async () => {
  const before = await insertLeaf()
  const undone = await insertLeaf()
  await chain.refresh()
  expect(await pools.knowsStateRoot(native(), undone)).toBe(true)
  await askNode(devnet.chain.rpcUrl, 'anvil_rollback', 1)
  // Not read yet: roots that a node no longer has, or has not yet, still count.
  expect(await pools.ageBeside(native(), before, [])).toMatchObject({ followers: 1 })
  expect(await pools.ageBeside(native(), undone, [])).toBeNull()
  await chain.refresh()
  expect(await pools.knowsStateRoot(native(), 12_345n)).toBe(false)
  expect(await pools.knowsStateRoot(native(), undone)).toBe(false)
  expect(await pools.knowsStateRoot(native(), before)).toBe(true)
  const instead = await insertLeaf()
  await chain.refresh()
  expect(await pools.ageOfRoot(native(), instead)).toMatchObject({ followers: 0 })
  expect(await pools.ageOfRoot(native(), before)).toMatchObject({ followers: 1 })
})

test('the state follows the removal and the return of a pool', async () => {
  const abi = parseAbi([
    'function removePool(address)',
    'function registerPool(address, address, uint256, uint256, uint256)',
  ])
  const { reader, sender } = walletOf(accounts.deployer)
  const { address } = native()
  const entrypoint = { address: chain.config.relayer.entrypoint, abi }
  const removal = await sender.writeContract({
    ...entrypoint,
    functionName: 'removePool',
    args: [NATIVE_ASSET],
  })
  await reader.waitForTransactionReceipt({ hash: removal })
  await chain.refresh()
  expect(pools.byAsset(NATIVE_ASSET)).toBeUndefined()
  const args = [NATIVE_ASSET, address, 3n, 60n, 777n] as const
  const comeback = await sender.writeContract({ ...entrypoint, functionName: 'registerPool', args })
  await reader.waitForTransactionReceipt({ hash: comeback })
  await chain.refresh()
  expect(native()).toMatchObject({
    address,
    minDeposit: 3n,
    vettingFeeBps: 60n,
    maxRelayFeeBps: 777n,
  })
})
