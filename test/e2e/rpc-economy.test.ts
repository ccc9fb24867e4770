import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { devnetConfig } from '../../relayer/devnet/config.ts'
import { startDevnet, type Devnet } from '../../relayer/devnet/start-devnet.ts'
import { countRpc, type RpcCounter } from '../harness/count-rpc.ts'
import { post, relayBody } from '../harness/relay-requests.ts'
import { startTestService, type TestService } from '../harness/start-service.ts'
import { loadRelayVectors, replayVectorDeposits, type RelayVectors } from '../vectors/load-relay-vectors.ts'

let folder: string
let devnet: Devnet
let counter: RpcCounter
let service: TestService
let vectors: RelayVectors

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rpc-test-'))
  devnet = await startDevnet({
    dataDir: folder,
    config: devnetConfig.parse({
      chainIds: [31_337],
      ports: [0],
      deterministic: true,
      aspDelaySeconds: 3_600,
    }),
    logger: pino({ level: 'silent' }),
  })
  vectors = loadRelayVectors()
  const [chain] = devnet.chains
  await replayVectorDeposits(vectors, chain!)
  counter = await countRpc(chain!.rpcUrls[0]!)
  // A chain that is watched once a minute leaves only what the requests themselves need.
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
  const settings = JSON.parse(JSON.stringify(chain, asText)) as object
  service = await startTestService({
    chains: [{ ...settings, rpcUrls: [counter.url], pollIntervalMs: 60_000, staleAfterMs: 3_600_000 }],
  })
})
afterAll(async () => {
  await service?.stop()
  await counter?.close()
  await devnet?.stop()
  await rm(folder, { recursive: true, force: true })
})

test.each([
  ['native', 0],
  ['native, again', 1],
  ['token', 62],
  ['token with extraGas', 63],
])('a relayed request (%s) costs at most four round trips to the node', async (name, index) => {
  const body = await relayBody(vectors.relays[index]!, { extraGas: name.includes('extraGas') })
  counter.take()
  const answer = await post(service.url, '/relayer/request', body)
  expect(answer.body).toMatchObject({ success: true, txHash: expect.any(String) })
  const trips = counter.take()
  expect(trips.length, JSON.stringify(trips)).toBeLessThanOrEqual(4)
  expect(trips.flat()).toContain('eth_sendRawTransaction')
})
