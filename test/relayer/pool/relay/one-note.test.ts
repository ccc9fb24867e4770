import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../../db/connect-database.ts'
import { deriveAccounts } from '../../../devnet/accounts.ts'
import { connectWallet } from '../../../devnet/wallet/connect-wallet.ts'
import { encodeRelay } from '../../../../relayer/pool/relay/encode-relay.ts'
import type { RelayRequest } from '../../../../relayer/pool/relay/withdrawals.ts'
import { subscribe } from '../../../harness/subscribe.ts'
import { askNode } from '../../../harness/ask-node.ts'
import { get, post, relayBody, untilFinal, type RelayBody } from '../../../harness/relay-requests.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'
import { loadRelayVectors, type RelayVectors } from '../../../vectors/load-relay-vectors.ts'
import { remakeProof } from './remake-proof.ts'

/** `if (tx.gasprice == 0 || block.basefee == 0) return; while (true) {}` */
const BURN_WHERE_GAS_HAS_A_PRICE = '0x3a15481517600c575b6008565b00'
let service: TestService
let vectors: RelayVectors
let node: string

beforeAll(async () => {
  vectors = loadRelayVectors()
  service = await startTestService({}, { hasVectorDeposits: true })
  node = service.parts.chains[0]!.rpcUrls[0]!
})
afterEach(() => askNode(node, 'evm_setAutomine', true))
afterAll(() => service?.stop())

const vector = (index: number) => vectors.relays[index]!
const relay = (body: RelayBody) => post(service.url, '/relayer/request', body)
const refusal = (code: string) => ({ success: false, error: expect.stringMatching(`^${code}: `) })

/** Sends the withdrawal past the relayer, from an account of its owner's. */
async function relayDirectly(body: RelayBody, tip: bigint): Promise<void> {
  const [, client] = deriveAccounts().clients
  const { sender } = connectWallet({ chainId: 31_337, rpcUrl: node }, client!.privateKey)
  await sender.sendTransaction({
    to: service.parts.chains[0]!.relayer!.entrypoint,
    data: encodeRelay(body as unknown as RelayRequest),
    gas: 2_000_000n,
    maxFeePerGas: tip,
    maxPriorityFeePerGas: tip,
  })
}

const progressOf = (argument: string) =>
  subscribe(
    service.url,
    `subscription { relayerRequestProgress(${argument}) { requestId status txHash error } }`,
  )
type Step = { requestId: string; status: string; txHash: string | null; error: string | null }

async function readAll(events: Awaited<ReturnType<typeof progressOf>>): Promise<Step[]> {
  const steps: Step[] = []
  for (let event = await events.next(); event; event = await events.next())
    steps.push((event as { data: { relayerRequestProgress: Step } }).data.relayerRequestProgress)
  return steps
}

test('a follower of a note sees every step once, also from before its request and with copies of it', async () => {
  const body = await relayBody(vector(0))
  const events = await progressOf(`nullifierHash: "${body.publicSignals[1]}"`)
  const steps = readAll(events)
  const answers = await Promise.all(Array.from({ length: 5 }, () => relay(body)))
  const ids = new Set(answers.map(({ body: answer }) => answer['requestId']))
  expect(ids.size).toBe(1)
  const seen = await steps
  expect([...new Set(seen.map(({ status }) => status))]).toEqual([
    'received',
    'verified',
    'simulated',
    'broadcast',
    'confirmed',
  ])
  expect(seen.at(-1)).toMatchObject({ requestId: [...ids][0], txHash: answers[0]!.body['txHash'] })
})

test('a refusal ends the stream with its reason', async () => {
  const body = await relayBody(vector(1))
  const events = await progressOf(`nullifierHash: "${body.publicSignals[1]}"`)
  const steps = readAll(events)
  const refused = await relay({ ...body, feeCommitment: { ...body.feeCommitment, amount: '1' } })
  expect(refused.body).toMatchObject(refusal('RELAYER_COMMITMENT_REJECTED'))
  expect(await steps).toMatchObject([
    { status: 'received' },
    { status: 'failed', error: refused.body['error'] },
  ])
})

test('an equal request joins the pending one, and another withdrawal of the note is refused', async () => {
  const other = await relayBody(await remakeProof(vectors, 2, { relayFeeBps: 90n }))
  await askNode(node, 'evm_setAutomine', false)
  const terms = { expiration: Date.now() + 10_000 }
  const body = await relayBody(vector(2), terms)
  const first = await relay(body)
  expect(first.body).toMatchObject({ success: true, txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  expect((await relay(other)).body).toMatchObject(refusal('ALREADY_IN_FLIGHT'))
  const { requestId, txHash } = first.body
  expect((await relay(body)).body).toMatchObject({ success: true, requestId, txHash })
  expect((await get(service.url, `/relayer/request/${String(requestId)}`)).body).toMatchObject({
    status: 'broadcast',
    txHash,
  })
  await askNode(node, 'evm_setAutomine', true)
  await askNode(node, 'evm_mine')
  await untilFinal(service.url, requestId as string)
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, terms.expiration - Date.now() + 1)))
  // The commitment has expired meanwhile: the relay stays done.
  expect((await relay(body)).body).toMatchObject({ success: true, requestId, txHash })
  expect((await relay(other)).body).toMatchObject(refusal('NULLIFIER_ALREADY_SPENT'))
})

test('an instance that has not relayed a note answers as the one that did', async () => {
  const remade = await relayBody(await remakeProof(vectors, 2, { relayFeeBps: 90n }))
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  const chains = JSON.parse(JSON.stringify(service.parts.chains, asText)) as unknown
  const settings = { chains, storage: { dataDir: service.dataDir } }
  const database = { ...service.database, drop: () => Promise.resolve() }
  const other = await startTestService(settings, { database })
  try {
    const relayThere = (body: RelayBody) => post(other.url, '/relayer/request', body)
    await askNode(node, 'evm_setAutomine', false)
    const body = await relayBody(vector(8))
    const { requestId, txHash } = (await relay(body)).body
    expect((await relayThere(body)).body).toMatchObject({ success: true, requestId, txHash })
    await askNode(node, 'evm_setAutomine', true)
    await askNode(node, 'evm_mine')
    await untilFinal(service.url, requestId as string)
    expect((await relayThere(body)).body).toMatchObject({ success: true, requestId, txHash })
    expect((await relayThere(remade)).body).toMatchObject(refusal('NULLIFIER_ALREADY_SPENT'))
  } finally {
    await other.stop()
  }
})

test('a recipient that burns gas wherever gas has a price is refused, and nothing is sent', async () => {
  const { recipient } = vector(6)
  const countSent = () =>
    Promise.all(
      deriveAccounts().relaySigners.map(({ address }) =>
        askNode(node, 'eth_getTransactionCount', address, 'pending'),
      ),
    )
  const readGasPrice = async () => (await service.services.withdrawals.overview()).chains[0]!.gasPrice ?? 0n
  const [before, cheap] = [await countSent(), await readGasPrice()]
  await askNode(node, 'anvil_setCode', recipient, BURN_WHERE_GAS_HAS_A_PRICE)
  await askNode(node, 'anvil_setNextBlockBaseFeePerGas', '0x3b9aca00')
  await askNode(node, 'evm_mine')
  await expect.poll(readGasPrice).toBeGreaterThan(cheap)
  expect((await relay(await relayBody(vector(6)))).body).toMatchObject(refusal('SIMULATION_FAILED'))
  expect(await countSent()).toEqual(before)
  await askNode(node, 'anvil_setCode', recipient, '0x')
  const { body } = await relay(await relayBody(vector(6)))
  expect(body).toMatchObject({ success: true })
  await untilFinal(service.url, body['requestId'] as string)
})

test('a note that its owner withdrew elsewhere is spent', async () => {
  const body = await relayBody(vector(3))
  await relayDirectly(body, 10n ** 9n)
  await expect.poll(async () => (await relay(body)).body).toMatchObject(refusal('NULLIFIER_ALREADY_SPENT'))
})

test('a reverted relay fails its request, books its gas and frees the note', async () => {
  const body = await relayBody(vector(4))
  const before = await service.services.withdrawals.overview()
  await askNode(node, 'evm_setAutomine', false)
  const first = await relay(body)
  expect(first.body).toMatchObject({ success: true })
  const steps = readAll(await progressOf(`requestId: "${String(first.body['requestId'])}"`))
  // Dearer, so that it comes first in the block.
  await relayDirectly(body, 100n * 10n ** 9n)
  await askNode(node, 'evm_mine')
  await askNode(node, 'evm_setAutomine', true)
  const end = await untilFinal(service.url, first.body['requestId'] as string)
  expect(end).toMatchObject({ status: 'failed', error: expect.stringMatching(/^TRANSACTION_ERROR: /) })
  expect((await steps).at(-1)).toMatchObject({ status: 'failed', txHash: first.body['txHash'] })
  const after = await service.services.withdrawals.overview()
  const spent = ({ ledger }: typeof after) => ledger.reduce((sum, { gasSpent }) => sum + gasSpent, 0n)
  const relays = ({ ledger }: typeof after) => ledger.reduce((sum, entry) => sum + entry.relays, 0)
  expect(spent(after)).toBeGreaterThan(spent(before))
  expect(relays(after)).toBe(relays(before))
  expect(after.requests.failed).toBe(before.requests.failed + 1)
  expect((await relay(body)).body).toMatchObject(refusal('NULLIFIER_ALREADY_SPENT'))
})

test('a follower of a note sees its new request although an earlier one failed', async () => {
  const { publicSignals } = vector(4)
  const events = await progressOf(`nullifierHash: "${publicSignals[1]}"`)
  const steps = readAll(events)
  await relay(await relayBody(vector(4)))
  expect((await steps).map(({ status }) => status)).toEqual(['received', 'failed'])
})

test('an internal error is masked and ends the stream', async () => {
  const { pool } = service.database
  const body = await relayBody(vector(5))
  const events = await progressOf(`nullifierHash: "${body.publicSignals[1]}"`)
  const steps = readAll(events)
  await pool.query(sql.typeAlias('void')`alter table outbound_tx rename to outbound_tx_away`)
  try {
    expect(await relay(body)).toMatchObject({ status: 500 })
    const end = (await steps).at(-1)
    expect(end).toMatchObject({ status: 'failed', error: expect.not.stringContaining('outbound') })
  } finally {
    await pool.query(sql.typeAlias('void')`alter table outbound_tx_away rename to outbound_tx`)
  }
  expect((await relay(body)).body).toMatchObject({ success: true })
})

test('an unknown request cannot be followed, and one client can follow at most 64', async () => {
  const unknown = await progressOf(`requestId: "${randomUUID()}"`)
  expect(await unknown.next()).toMatchObject({ errors: [{ extensions: { status: 404 } }] })
  expect(await unknown.next()).toBeUndefined()
  const followers = await Promise.all(
    Array.from({ length: 64 }, (_, index) => progressOf(`nullifierHash: "${index}"`)),
  )
  const refused = async () => {
    const events = await progressOf('nullifierHash: "99"')
    const first = events.next()
    const isWaiting = await Promise.race([first.then(() => false), sleep(1_000, true)])
    if (isWaiting) return events.leave()
    return await first
  }
  await expect.poll(refused).toMatchObject({ errors: [{ extensions: { status: 429, retryAfter: 60 } }] })
  for (const { leave } of followers) leave()
  await expect.poll(refused).toBeUndefined()
})
