import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseGwei, toFunctionSelector, toHex, type Hash } from 'viem'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { deriveAccounts } from '../../../devnet/accounts.ts'
import type { ChainConfig } from '../../../../relayer/chain/nodes/config.ts'
import { writeCid } from '../../../devnet/asp/review-deposits.ts'
import { associationSetsAbi } from '../../../devnet/pool-events.ts'
import { connectWallet } from '../../../devnet/wallet/connect-wallet.ts'
import { askNode } from '../../../harness/ask-node.ts'
import { get, post, relayBody, untilFinal } from '../../../harness/relay-requests.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'
import { loadRelayVectors, type RelayVectors } from '../../../vectors/load-relay-vectors.ts'
import { startNodeDoor, type NodeDoor } from '../../chain/broadcast/start-node-door.ts'
import { startTestDevnet, type TestDevnet } from '../../../harness/start-test-devnet.ts'

let devnet: TestDevnet
let chain: ChainConfig
/** Before the node that the service asks first. */
let door: NodeDoor
let service: TestService
let vectors: RelayVectors
let node: string

beforeAll(async () => {
  vectors = loadRelayVectors()
  devnet = await startTestDevnet({ deterministic: true }, { hasVectorDeposits: true })
  chain = devnet.devnet.chains[0]!
  node = chain.rpcUrls[0]!
  door = await startNodeDoor(node)
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
  service = await startTestService({
    broadcast: { leaseMs: 1_000, resendAfterMs: 300, bumpAfterMs: 600_000, reviewAfterMs: 500 },
    chains: [{ ...(JSON.parse(JSON.stringify(chain, asText)) as object), rpcUrls: [door.url, node] }],
  })
  while ((await get(service.url, '/health/ready')).status !== 200)
    await new Promise((resolve) => setTimeout(resolve, 50))
})
/** However the test before ended: blocks are cheap again, and nothing waits. */
beforeEach(async () => {
  await askNode(node, 'evm_setAutomine', true)
  await expect
    .poll(async () => {
      await mineAt(CHEAP)
      const { gasPrice, pendingTransactions } = (await service.services.withdrawals.overview()).chains[0]!
      return gasPrice !== null && gasPrice < parseGwei('50') && pendingTransactions === 0
    })
    .toBe(true)
})
afterEach(() => {
  for (const method of ['eth_getBlockByNumber', 'eth_call', 'eth_getTransactionByHash']) door.alter(method)
})
afterAll(async () => {
  await service?.stop()
  await door?.close()
  await devnet?.[Symbol.asyncDispose]()
})

const relay = async (index: number) =>
  post(service.url, '/relayer/request', await relayBody(vectors.relays[index]!))

async function mineAt(baseFee: bigint): Promise<void> {
  await askNode(node, 'anvil_setNextBlockBaseFeePerGas', toHex(baseFee))
  await askNode(node, 'evm_mine')
}
const CHEAP = parseGwei('1')
const isSpent = toFunctionSelector('function nullifierHashes(uint256)')
/** How often the first node was asked by a review whether a relay's note is spent, since calls are followed. */
let reviews = 0
/** @param change The first node's answer to calls; the truth unless given. */
function followCalls(
  change: (answer: unknown, params: readonly unknown[]) => unknown = (answer) => answer,
): void {
  reviews = 0
  door.alter('eth_call', (answer, params) => {
    if ((params[0] as { data?: string }).data?.startsWith(isSpent)) reviews += 1
    return change(answer, params)
  })
}
/** The third begins when two have ended. */
const reviewedTwice = () => expect.poll(() => reviews).toBeGreaterThan(2)
/** So dear that nothing of the service's can be mined. */
const DEAR = parseGwei('900')

/** Cheap blocks until the request has ended, however late the node is given its transaction again. */
async function untilMined(requestId: string): Promise<Record<string, unknown>> {
  await mineAt(CHEAP)
  const mining = setInterval(() => void mineAt(CHEAP).catch(() => undefined), 200)
  return untilFinal(service.url, requestId).finally(() => clearInterval(mining))
}

const outboundRow = z.object({ status: z.string(), forms: z.bigint(), pointless: z.string().nullable() })
const outboundOf = (requestId: string) =>
  service.database.pool.one(sql.type(outboundRow)`
    select status, pointless, (select count(*) from outbound_attempt where outbound_id = outbound_tx.id) as forms
    from outbound_tx where reference = ${requestId}`)

async function updateAspRoot(root: bigint): Promise<Hash> {
  const { sender } = connectWallet({ chainId: 31_337, rpcUrl: node }, deriveAccounts().postman.privateKey)
  return sender.writeContract({
    address: chain.relayer!.entrypoint,
    abi: associationSetsAbi,
    functionName: 'updateRoot',
    args: [root, writeCid(Number(root % 1_000n))],
    gas: 500_000n,
    maxFeePerGas: 2n * DEAR,
    maxPriorityFeePerGas: parseGwei('2'),
  })
}

/** In a block when it returns: a node that stops mining at once may leave the update out. */
async function minedAspRoot(root: bigint): Promise<void> {
  const hash = await updateAspRoot(root)
  await expect.poll(() => askNode(node, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
}

/** The relay's ASP root is the newest, and the service knows it. */
async function readyFor(index: number): Promise<void> {
  await minedAspRoot(BigInt(vectors.relays[index]!.publicSignals[5]!))
  await expect.poll(async () => (await get(service.url, '/health/ready')).status).toBe(200)
}

test('a note that was spent before a restored backup is not relayed again', async () => {
  await readyFor(0)
  const accepted = await relay(0)
  const requestId = accepted.body['requestId'] as string
  await untilFinal(service.url, requestId)
  const signers = chain.relayer!.relaySignerKeys!.length
  expect(signers).toBeGreaterThan(0)
  const height = await askNode<string>(node, 'eth_blockNumber')
  // As the database was while the relay was queued.
  await service.database.pool.transaction(async (transaction) => {
    await transaction.query(sql.typeAlias('void')`delete from relay_ledger where request_id = ${requestId}`)
    await transaction.query(sql.typeAlias('void')`
      update relay_request set status = 'broadcast', tx_hash = null where id = ${requestId}`)
    await transaction.query(sql.typeAlias('void')`
      delete from outbound_attempt where outbound_id = (select id from outbound_tx where reference = ${requestId})`)
    await transaction.query(sql.typeAlias('void')`
      update outbound_tx set status = 'queued', signer = null, tx_nonce = null, reserved = 0, mined_hash = null,
        settled_at = null, created_at = now() - interval '1 hour'
      where reference = ${requestId}`)
  })
  expect(await untilFinal(service.url, requestId)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('NULLIFIER_ALREADY_SPENT'),
  })
  expect(await outboundOf(requestId)).toMatchObject({ status: 'abandoned', forms: 0n })
  expect(await askNode<string>(node, 'eth_blockNumber')).toBe(height)
})

test('a relay whose ASP root changed while it waited is replaced by an empty transfer, and its note is free', async () => {
  await readyFor(1)
  await askNode(node, 'evm_setAutomine', false)
  const accepted = await relay(1)
  expect(accepted.body).toMatchObject({ success: true, txHash: expect.stringMatching(/^0x/) })
  const { requestId, txHash } = accepted.body as { requestId: string; txHash: Hash }
  // Anvil drops transactions that are too cheap for a block. The first node holds it, so that it is not given up as
  // dropped.
  const held = await askNode(node, 'eth_getTransactionByHash', txHash)
  door.alter('eth_getTransactionByHash', (answer, [hash]) => answer ?? (hash === txHash ? held : null))
  await updateAspRoot(987_654_321n)
  for (let block = 0; block < 6; block += 1) await mineAt(DEAR)
  await expect
    .poll(() => outboundOf(requestId))
    .toMatchObject({ pointless: expect.stringContaining('INCORRECT_ASP_ROOT'), forms: 2n })
  const end = await untilMined(requestId)
  expect(end).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^INCORRECT_ASP_ROOT: /),
  })
  const mined = await askNode<{ from: string; to: string; input: string; gas: string }>(
    node,
    'eth_getTransactionByHash',
    end['txHash'],
  )
  expect(mined).toMatchObject({ to: mined.from, input: '0x', gas: toHex(21_000) })
  // The service paid for it, for any reason.
  const lost = await service.database.pool.anyFirst(
    sql.type(z.object({ gas: z.bigint() }))`select gas from gas_lost`,
  )
  expect(lost).toEqual([21_000n])
  expect((await relay(1)).body).toMatchObject({
    success: false,
    error: expect.stringMatching(/^INCORRECT_ASP_ROOT: /),
  })
  expect((await get(service.url, `/relayer/request/${requestId}`)).body).toMatchObject({ status: 'failed' })
})

test('a relay that nodes dropped after the ASP root had moved is not sent again, and costs an empty transfer at most', async () => {
  await readyFor(4)
  await askNode(node, 'evm_setAutomine', false)
  const lost = () =>
    service.database.pool.anyFirst(
      sql.type(z.object({ gas: z.bigint() }))`select gas from gas_lost order by lost_at`,
    )
  const before = await lost()
  const accepted = await relay(4)
  const { requestId, txHash } = accepted.body as { requestId: string; txHash: Hash }
  const update = await updateAspRoot(555_555_555n)
  await expect
    .poll(async () => {
      await mineAt(DEAR)
      return askNode(node, 'eth_getTransactionReceipt', update)
    })
    .toMatchObject({ status: '0x1' })
  // Transactions on their way to the node meanwhile are dropped too.
  const dropping = setInterval(
    () => void askNode(node, 'anvil_dropTransaction', txHash).catch(() => null),
    100,
  )
  const end = await untilMined(requestId).finally(() => clearInterval(dropping))
  expect(end).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^INCORRECT_ASP_ROOT: /),
  })
  // It is given up where no node holds it, or replaced where the review was faster than the news that it was dropped.
  for (const gas of (await lost()).slice(before.length)) expect(gas).toBe(21_000n)
})

test('a waiting relay that may still succeed is not changed', async () => {
  await readyFor(2)
  await askNode(node, 'evm_setAutomine', false)
  const accepted = await relay(2)
  expect(accepted.body).toMatchObject({ success: true, txHash: expect.stringMatching(/^0x/) })
  const requestId = accepted.body['requestId'] as string
  for (let block = 0; block < 6; block += 1) await mineAt(DEAR)
  followCalls()
  await reviewedTwice()
  expect(await outboundOf(requestId)).toMatchObject({ pointless: null, forms: 1n })
  expect(await untilMined(requestId)).toMatchObject({ status: 'confirmed' })
})

/**
 * Records the node's present view.
 * @returns A function that makes the first node lag behind: it keeps reporting that view.
 */
async function keepView(): Promise<() => void> {
  const newest = await askNode(node, 'eth_getBlockByNumber', 'latest', false)
  const latestRoot = toFunctionSelector('function latestRoot()')
  const root = await askNode(node, 'eth_call', { to: chain.relayer!.entrypoint, data: latestRoot }, 'latest')
  return () => {
    door.alter('eth_getBlockByNumber', (answer, [tag]) => (tag === 'latest' ? newest : answer))
    followCalls((answer, [call, tag]) =>
      tag === 'latest' && (call as { data?: string }).data === latestRoot ? root : answer,
    )
  }
}

test('a first node that lacks the ASP root of a relay causes no replacement', async () => {
  await updateAspRoot(123_456_789n)
  for (let block = 0; block < 6; block += 1) await mineAt(CHEAP)
  const lag = await keepView()
  await readyFor(3)
  await askNode(node, 'evm_setAutomine', false)
  const accepted = await relay(3)
  expect(accepted.body).toMatchObject({ success: true, txHash: expect.stringMatching(/^0x/) })
  const requestId = accepted.body['requestId'] as string
  await mineAt(DEAR)
  lag()
  await reviewedTwice()
  expect(await outboundOf(requestId)).toMatchObject({ pointless: null, forms: 1n })
  for (const method of ['eth_getBlockByNumber', 'eth_call']) door.alter(method)
  expect(await untilMined(requestId)).toMatchObject({ status: 'confirmed' })
})
