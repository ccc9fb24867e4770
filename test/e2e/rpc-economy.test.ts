import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { askNode } from '../harness/ask-node.ts'
import { countRpc, type RpcCounter } from '../harness/count-rpc.ts'
import { post, relayBody } from '../harness/relay-requests.ts'
import { startTestDevnet, type TestDevnet } from '../harness/start-test-devnet.ts'
import { startTestService, type TestService } from '../harness/start-service.ts'
import { loadRelayVectors, type RelayVectors } from '../vectors/load-relay-vectors.ts'

let world: TestDevnet
let counter: RpcCounter
let service: TestService
let vectors: RelayVectors
/** Of the chain, as a configuration file has them. */
let settings: Record<string, unknown>

beforeAll(async () => {
  world = await startTestDevnet({ deterministic: true }, { hasVectorDeposits: true })
  vectors = loadRelayVectors()
  const [chain] = world.devnet.chains
  counter = await countRpc(chain!.rpcUrls[0]!)
  // The chain is polled once a minute, and the outbox polls as rarely. So only the requests' own RPC calls remain.
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
  settings = JSON.parse(JSON.stringify(chain, asText)) as typeof settings
  const never = { idleLookMs: 3_600_000, leaseMs: 600_000, resendAfterMs: 600_000 }
  service = await startTestService({
    broadcast: never,
    chains: [{ ...settings, rpcUrls: [counter.url], pollIntervalMs: 60_000, staleAfterMs: 3_600_000 }],
  })
})
afterAll(async () => {
  await service?.stop()
  await counter?.close()
  await world?.[Symbol.asyncDispose]()
})

/**
 * Waits until the chain is indexed, and the work of earlier requests has ended: until there are no RPC calls for a
 * while.
 */
async function letSettle(): Promise<void> {
  const status = z.object({ indexing: z.array(z.object({ behind: z.number().nullable() })) })
  const behind = async () => {
    const answer = await fetch(`${service.url}/status.json`)
    return status.parse(await answer.json()).indexing.map((progress) => progress.behind)
  }
  await expect.poll(behind).toEqual([0])
  await expect.poll(() => counter.take(), { interval: 300 }).toHaveLength(0)
}

test.each([
  ['native', 0],
  ['native, again', 1],
  ['token', 62],
  ['token with extraGas', 63],
])(
  'a relayed request (%s) costs at most four round trips to the node beside asking a new connection its chain',
  async (name, index) => {
    const body = await relayBody(vectors.relays[index]!, { extraGas: name.includes('extraGas') })
    await letSettle()
    const answer = await post(service.url, '/relayer/request', body)
    expect(answer.body).toMatchObject({ success: true, txHash: expect.any(String) })
    const trips = counter.take().filter((methods) => methods.join() !== 'eth_chainId')
    expect(trips.length, JSON.stringify(trips)).toBeLessThanOrEqual(4)
    expect(trips.flat()).toContain('eth_sendRawTransaction')
  },
)

test('a client whose proof was wrong makes no node simulate before the next proof is verified', async () => {
  const { proof, ...body } = await relayBody(vectors.relays[2]!)
  // Well-formed points that prove nothing: only the pairing shows it.
  const forged = { ...body, proof: { ...proof, pi_a: proof.pi_c, pi_c: proof.pi_a } }
  const ask = () => post(service.url, '/relayer/request', forged)
  expect((await ask()).body['error']).toMatch(/^INVALID_PROOF/)
  await letSettle()
  expect((await ask()).body['error']).toMatch(/^INVALID_PROOF/)
  expect(counter.take().flat()).not.toContain('eth_simulateV1')
})

test('an empty block costs at most five calls beside looking for it and opening a connection, whatever the number of pools and signers', async () => {
  const watched = await countRpc(world.chain.rpcUrl)
  const idle = await startTestService({
    broadcast: { idleLookMs: 60_000 },
    chains: [{ ...settings, rpcUrls: [watched.url] }],
  })
  try {
    const isLook = (call: string) => call.includes('eth_getBlockByNumber') && call.includes('"latest",false')
    const takeCalls = () =>
      watched
        .takeBodies()
        .flatMap((body) => [JSON.parse(body)].flat() as { method: string }[])
        .filter((call) => !isLook(JSON.stringify(call)) && call.method !== 'eth_chainId')
        .map(({ method }) => method)
    await expect.poll(takeCalls, { interval: 2_000 }).toEqual([])
    await askNode(world.chain.rpcUrl, 'evm_mine')
    const calls: string[] = []
    await expect.poll(() => calls.push(...takeCalls())).toBeGreaterThanOrEqual(4)
    await expect.poll(takeCalls, { interval: 1_000 }).toEqual([])
    expect(calls.toSorted()).toEqual([
      'eth_call',
      'eth_feeHistory',
      'eth_getBlockByNumber',
      'eth_maxPriorityFeePerGas',
    ])
  } finally {
    await idle.stop()
    await watched.close()
  }
})
