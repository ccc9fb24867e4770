import { randomBytes } from 'node:crypto'
import { parseAbi, toFunctionSelector, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { deriveAccounts } from '../../../devnet/accounts.ts'
import { associationSetsAbi } from '../../../devnet/pool-events.ts'
import { writeCid } from '../../../devnet/asp/review-deposits.ts'
import { connectWallet } from '../../../devnet/wallet/connect-wallet.ts'
import { sql } from '../../../../db/connect-database.ts'
import { NATIVE_ASSET, type ChainConfig } from '../../../../relayer/chain/nodes/config.ts'
import { openNewClient, type Client } from '../../../../schema/client/account/open-client.ts'
import { askNode } from '../../../harness/ask-node.ts'
import { call } from '../../../harness/call.ts'
import { get, post, relayBody, untilFinal, type Answer } from '../../../harness/relay-requests.ts'
import { startDoor, type Door } from '../../../harness/start-door.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'
import { loadRelayVectors, type RelayVectors } from '../../../vectors/load-relay-vectors.ts'
import { startTestDevnet, type TestDevnet } from '../../../harness/start-test-devnet.ts'

let devnet: TestDevnet
let chain: ChainConfig
let node: string
let door: Door
let service: TestService
let vectors: RelayVectors

const accounts = deriveAccounts()
const walletOf = (account: { privateKey: `0x${string}` }) =>
  connectWallet({ chainId: 31_337, rpcUrl: node }, account.privateKey)

beforeAll(async () => {
  vectors = loadRelayVectors()
  devnet = await startTestDevnet({ deterministic: true }, { hasVectorDeposits: true })
  chain = devnet.devnet.chains[0]!
  node = chain.rpcUrls[0]!
  door = await startDoor(node)
  door.shut('all')
  service = await startTestService(settingsOf(4_000))
})

const masterKeys = [randomBytes(32).toString('hex')]

/** Settings of an instance whose node is behind the door. */
function settingsOf(staleAfterMs: number): Record<string, unknown> {
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
  const settings = JSON.parse(JSON.stringify(chain, asText)) as object
  return {
    identity: { masterKeys },
    broadcast: { leaseMs: 1_000, resendAfterMs: 300 },
    withdrawals: { maxAwaiting: 8 },
    chains: [{ ...settings, rpcUrls: [door.url], pollIntervalMs: 100, staleAfterMs }],
  }
}

afterEach(() => door?.open())
afterAll(async () => {
  await service?.stop()
  await door?.close()
  await devnet?.[Symbol.asyncDispose]()
})

const details = () => get(service.url, `/relayer/details?chainId=31337&assetAddress=${NATIVE_ASSET}`)
const quote = () =>
  post(service.url, '/relayer/quote', {
    chainId: 31_337,
    amount: (10n ** 18n).toString(),
    asset: NATIVE_ASSET,
    recipient: '0x00000000000000000000000000000000BEEF0001',
  })
const relay = async (index: number) =>
  post(service.url, '/relayer/request', await relayBody(vectors.relays[index]!))
const refreshing = { status: 503, body: { code: 'POOL_STATE_REFRESHING' } }

async function expectRefreshing(): Promise<void> {
  expect(await details()).toMatchObject(refreshing)
  expect(await quote()).toMatchObject(refreshing)
  expect(await relay(0)).toMatchObject(refreshing)
  // So do those that accounts ask for.
  expect(await quoteOfAccount('incognito_send')).toMatchObject(refreshing)
  // A conversion needs the chain for its own transaction too.
  expect((await quoteOfAccount('pool_deposit')).status).toBe(503)
}

/** Asks for a quote of an account without funds: other reasons are given once the pools are known. */
async function quoteOfAccount(type: string) {
  const { accountId, token } = (client ??= await openNewClient({ url: service.url }))
  const { status, json } = await call(`${service.url}/v1/accounts/${accountId}/quote`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: { type, chainId: 31_337, token: zeroAddress, amount: '1' },
  })
  return { status, body: json }
}
let client: Client | undefined

/** The base fee while gas is cheap. */
const CHEAP = 10n ** 9n

async function mineWithBaseFee(baseFee: bigint): Promise<void> {
  await askNode(node, 'anvil_setNextBlockBaseFeePerGas', `0x${baseFee.toString(16)}`)
  await askNode(node, 'evm_mine')
}

/** Mines a block with this base fee, and waits until the service quotes by it. */
async function changeBaseFee(baseFee: bigint): Promise<void> {
  await mineWithBaseFee(baseFee)
  const least = (baseFee * 9n) / 8n
  await expect
    .poll(async () => BigInt((await quote()).body['gasPrice'] as string))
    .toSatisfy((price: bigint) => price >= least && price < least + 5n * CHEAP)
}

const expectQuote = () => expect.poll(async () => (await quote()).status).toBe(200)

test('a service that starts while its chain is down says so, and serves once the chain is up', async () => {
  await expectRefreshing()
  expect((await get(service.url, '/health/ready')).status).toBe(503)
  // First only the head can be read, so that the rest has to be tried again.
  door.shut(['eth_call', 'eth_maxPriorityFeePerGas'])
  await new Promise((resolve) => setTimeout(resolve, 500))
  await expectRefreshing()
  // Then all but the pools themselves: a scope that is not known yet is no wrong one.
  door.shut([toFunctionSelector('function SCOPE()')])
  await new Promise((resolve) => setTimeout(resolve, 500))
  await expectRefreshing()
  expect(await quoteOfAccount('pool_deposit')).toMatchObject(refreshing)
  const height = await askNode<string>(node, 'eth_blockNumber')
  door.open()
  await expectQuote()
  await expect.poll(async () => (await get(service.url, '/health/ready')).status).toBe(200)
  expect(await askNode<string>(node, 'eth_blockNumber')).toBe(height)
})

test('pools are stale while the node is down, and fresh when it is back', async () => {
  door.shut('all')
  // The head is fresh for some seconds more: requests to the node meanwhile get the same answer, not a failure of the
  // service.
  expect(await relay(0)).toMatchObject(refreshing)
  await expect.poll(async () => (await details()).status).toBe(503)
  await expectRefreshing()
  door.open()
  await expectQuote()
})

test('pools that cannot be read are stale although the head moves', async () => {
  door.shut(['eth_call'])
  await askNode(node, 'evm_mine')
  await expect.poll(async () => (await details()).status).toBe(503)
  door.open()
  await expectQuote()
})

test("a change by the pool's owner counts from the next head", async () => {
  const abi = parseAbi(['function updatePoolConfiguration(address, uint256, uint256, uint256)'])
  const update = (maxRelayFeeBps: bigint) =>
    walletOf(accounts.deployer).sender.writeContract({
      address: chain.relayer!.entrypoint,
      abi,
      functionName: 'updatePoolConfiguration',
      args: [NATIVE_ASSET, 1n, 100n, maxRelayFeeBps],
    })
  await update(5n)
  await expect
    .poll(quote)
    .toMatchObject({ status: 400, body: { code: 'WITHDRAWAL_AMOUNT_TOO_SMALL', maxRelayFeeBPS: 5 } })
  const refused = await relay(0)
  expect(refused.body).toMatchObject({
    success: false,
    error: expect.stringMatching(/^RELAY_FEE_ABOVE_MAX: /),
  })
  await update(1_000n)
  await expectQuote()
})

test('a new ASP root counts at once, and so does its rollback', async () => {
  const { reader, sender } = walletOf(accounts.postman)
  const snapshot = await askNode<string>(node, 'evm_snapshot')
  const hash = await sender.writeContract({
    address: chain.relayer!.entrypoint,
    abi: associationSetsAbi,
    functionName: 'updateRoot',
    args: [123_456_789n, writeCid(1)],
  })
  await reader.waitForTransactionReceipt({ hash })
  await expect
    .poll(async () => (await relay(0)).body)
    .toMatchObject({ error: expect.stringMatching(/^INCORRECT_ASP_ROOT: /) })
  await askNode(node, 'evm_revert', snapshot)
  await askNode(node, 'evm_mine')
  const accepted = await relay(0)
  expect(accepted.body).toMatchObject({ success: true })
  expect(await untilFinal(service.url, accepted.body['requestId'] as string)).toMatchObject({
    status: 'confirmed',
  })
})

/** Counts down from 600 before it accepts its coins: some 16,000 gas, which the fee still pays for. */
const BURNER = '0x6102585b600190038060035700'

test('simultaneous copies of a relay to a contract are one relay, which does not change the gas estimate', async () => {
  const gas = async () => ((await quote()).body['detail'] as { relayTxCost: { gas: string } }).relayTxCost.gas
  // The service learns within a second or so of earlier relays.
  await expect.poll(gas).not.toBe('560000')
  const before = await gas()
  await askNode(node, 'anvil_setCode', vectors.relays[6]!.recipient, BURNER)
  // While none is sent, each of them goes through in its simulation.
  door.shut(['eth_sendRawTransaction'])
  const body = await relayBody(vectors.relays[6]!)
  const early: Answer[] = []
  const copies = Array.from({ length: 40 }, () => post(service.url, '/relayer/request', body))
  for (const copy of copies) void copy.then((answer) => early.push(answer))
  // Some wait for the hash, but few enough to leave places for others.
  await expect.poll(() => early.length).toBe(32)
  expect(early.some(({ body: answer }) => 'txHash' in answer)).toBe(false)
  door.open()
  const answers = await Promise.all(copies)
  expect(answers.filter(({ body: answer }) => 'txHash' in answer).length).toBe(8)
  expect(answers.every(({ body: answer }) => answer['success'])).toBe(true)
  expect(new Set(answers.map(({ body: answer }) => answer['requestId'])).size).toBe(1)
  const end = await untilFinal(service.url, String(answers[0]!.body['requestId']))
  expect(end).toMatchObject({ status: 'confirmed' })
  expect(await gas()).toBe(before)
})

test('gas above the cap refuses quotes with a 400 that names the cap, and requests with MAX_GAS_PRICE', async () => {
  const { maxGasPrice } = chain.relayer!
  await mineWithBaseFee(maxGasPrice)
  await expect.poll(quote).toMatchObject({
    status: 400,
    body: { code: 'MAX_GAS_PRICE', message: expect.stringContaining(maxGasPrice.toString()) },
  })
  expect((await relay(1)).body).toMatchObject({ error: expect.stringMatching(/^MAX_GAS_PRICE: /) })
  expect(await quoteOfAccount('incognito_send')).toMatchObject({ body: { code: 'MAX_GAS_PRICE' } })
  await changeBaseFee(CHEAP)
})

test('a relay whose fee covers the gas no more is refused until gas is cheap again', async () => {
  // The fee of a vector is a hundredth of a coin, a relay takes some 400,000 gas.
  await changeBaseFee(60n * CHEAP)
  expect((await relay(1)).body).toMatchObject({ error: expect.stringMatching(/^FEE_TOO_LOW: /) })
  await changeBaseFee(CHEAP)
})

test('signers without money refuse quotes before the last one runs dry', async () => {
  const senders = accounts.relaySigners.map(({ address }) => address)
  const balances = await Promise.all(
    senders.map((address) => askNode<string>(node, 'eth_getBalance', address, 'latest')),
  )
  const set = (amounts: readonly string[]) =>
    Promise.all(senders.map((address, index) => askNode(node, 'anvil_setBalance', address, amounts[index])))
  await changeBaseFee(CHEAP)
  const quoted = BigInt((await quote()).body['gasPrice'] as string)
  // The last one pays for little more than one relay at today's price, and two are held in reserve.
  await set(['0x0', '0x0', '0x0', `0x${((quoted * 700_000n * 21n) / 20n).toString(16)}`])
  await mineWithBaseFee(CHEAP)
  const noGas = { status: 503, body: { code: 'NO_GAS_FOR_SENDING' } }
  await expect.poll(quote).toMatchObject(noGas)
  expect(await quoteOfAccount('incognito_send')).toMatchObject(noGas)
  await set(senders.map(() => '0x0'))
  await askNode(node, 'evm_mine')
  await expect.poll(() => relay(1)).toMatchObject(noGas)
  await set(balances)
  await askNode(node, 'evm_mine')
  await expectQuote()
})

test('a node that hangs costs one time limit, after which answers with a code come at once', async () => {
  const { accountId, token } = (client ??= await openNewClient({ url: service.url }))
  const ask = async (path: string, body?: object) =>
    call(`${service.url}/v1/accounts/${accountId}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}` },
      ...(body && { body }),
    })
  const recipient = privateKeyToAddress(generatePrivateKey())
  const hanging = door.hold('all')
  const kind = await ask(`/recipient-address-kind?chainId=31337&address=${recipient}`)
  expect(kind).toMatchObject({ status: 502, json: { code: 'ADDRESS_KIND_UNKNOWN' } })
  const askedByThen = hanging.asked().length
  const send = {
    type: 'send',
    chainId: 31_337,
    token: zeroAddress,
    amount: '1',
    destinationAddress: recipient,
  }
  expect(await ask('/quote', send)).toMatchObject({ status: 502, json: { code: 'ADDRESS_KIND_UNKNOWN' } })
  expect(
    await ask(`/recipient-address-kind?chainId=31337&address=${privateKeyToAddress(generatePrivateKey())}`),
  ).toMatchObject({ status: 502 })
  // Only the probe of the silent node was sent meanwhile.
  expect(new Set(hanging.asked().slice(askedByThen))).not.toContain('eth_getCode')
  hanging.letGo()
  await expectQuote()
})

test('a request whose node hangs is answered in time with a code, and repeated it finds what was carried out', async () => {
  const { databaseUrl } = service.config.storage
  // Beside the other, which answers as late as a busy machine does.
  const hasty = await startTestService({
    ...settingsOf(60_000),
    http: { answerWithinMs: 2_500 },
    storage: { databaseUrl },
  })
  onTestFinished(() => hasty.stop())
  await expect.poll(async () => (await get(hasty.url, '/health/ready')).status).toBe(200)
  const { accountId, token } = (client ??= await openNewClient({ url: service.url }))
  const recipient = privateKeyToAddress(generatePrivateKey())
  const query = `{ supportedChains { chainId } recipientAddressKind(accountId: "${accountId}", chainId: 31337, address: "${recipient}") { kind } }`
  const body = await relayBody(vectors.relays[7]!)
  const hanging = door.hold('all')
  const [relayed, document] = await Promise.all([
    post(hasty.url, '/relayer/request', body),
    call(`${hasty.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: { query },
    }),
  ])
  expect(relayed).toMatchObject({ status: 503, body: { code: 'ANSWER_LATE' } })
  expect(document.json).toMatchObject({
    data: { supportedChains: [{ chainId: 31_337 }], recipientAddressKind: null },
    errors: [{ path: ['recipientAddressKind'], extensions: { code: 'ANSWER_LATE' } }],
  })
  hanging.letGo()
  const ids = async () =>
    await service.database.pool.anyFirst(sql.type(z.object({ id: z.string() }))`
      select id from relay_request where nullifier_hash = ${BigInt(body.publicSignals[1]!)}`)
  await expect
    .poll(async () => (await post(hasty.url, '/relayer/request', body)).body)
    .toMatchObject({ success: true })
  const answer = await post(hasty.url, '/relayer/request', body)
  expect(await ids()).toEqual([answer.body['requestId']])
  expect(await untilFinal(hasty.url, String(answer.body['requestId']))).toMatchObject({ status: 'confirmed' })
})
