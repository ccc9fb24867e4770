import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { createTestClient, http, publicActions } from 'viem'
import { foundry } from 'viem/chains'
import { expect } from 'vitest'
import { devnetConfig } from '../../gateway/config/devnet-config.ts'
import { startDevnetHere } from '../harness/start-devnet-here.ts'
import { post, relayBody, runConcurrently, untilFinal, type RelayBody } from '../harness/relay-requests.ts'
import { startTestService } from '../harness/start-service.ts'
import { loadRelayVectors, replayVectorDeposits } from '../vectors/load-relay-vectors.ts'
import { expectLedgerOfChain } from './expect-ledger-of-chain.ts'

/** The chain may lose fewer blocks than that: final blocks stay. */
const CONFIRMATIONS = 5

/**
 * Relays so many notes, four at a time, while the chain keeps replacing its newest blocks. Every second time it forgets
 * their transactions altogether. Afterwards every note is withdrawn exactly once and the ledger is the chain's.
 * @returns How many answers were 500; none should be.
 */
export async function reorgStory(notes: number): Promise<{ faults: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'reorg-test-'))
  const config = devnetConfig.parse({
    chainIds: [31_337],
    ports: [0],
    deterministic: true,
    aspDelaySeconds: 3_600,
  })
  const devnet = await startDevnetHere({ dataDir: folder, config, logger: pino({ level: 'silent' }) })
  const stops = [() => rm(folder, { recursive: true, force: true }), devnet.stop]
  try {
    const [chain] = devnet.chains
    if (!chain) throw new Error('the devnet has no chain')
    const vectors = loadRelayVectors()
    await replayVectorDeposits(vectors, chain)
    const node = createTestClient({
      mode: 'anvil',
      chain: foundry,
      transport: http(chain.rpcUrls[0]),
    }).extend(publicActions)
    const ask = (method: string, ...params: unknown[]) =>
      node.request({ method: method as never, params: params as never })
    await node.mine({ blocks: CONFIRMATIONS })
    const firstBlock = (await node.getBlockNumber()) + 1n

    const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
    const settings = JSON.parse(JSON.stringify(chain, asText)) as object
    const service = await startTestService({
      chains: [{ ...settings, confirmations: CONFIRMATIONS, pollIntervalMs: 100 }],
      broadcast: { resendAfterMs: 500 },
    })
    stops.push(service.stop)

    // Blocks come from the storm alone: anvil that mines on demand during a reorg lists transactions twice.
    await node.setAutomine(false)
    const storm = new AbortController()
    const storming = (async () => {
      for (let reorgs = 0; ; reorgs += 1) {
        if (storm.signal.aborted && reorgs >= notes / 2) return
        const age = Number((await node.getBlockNumber({ cacheTime: 0 })) - firstBlock)
        const depth = Math.min(age, randomInt(1, CONFIRMATIONS))
        if (depth > 0) {
          await ask('anvil_reorg', depth, [])
          if (reorgs % 2 === 0) await ask('anvil_dropAllTransactions')
        }
        await node.mine({ blocks: 1 })
        // Long enough for the service to see the loss, now and then too short.
        await sleep(randomInt(100, 500))
      }
    })()

    const chosen = vectors.relays.slice(0, notes)
    let faults = 0
    /** Asks again, as clients do, until the service can say. */
    const askUntilTold = async (body: RelayBody) => {
      for (;;) {
        const answer = await post(service.url, '/relayer/request', body)
        if (answer.status < 500) return answer
        if (answer.status === 500) faults += 1
        await sleep(200)
      }
    }
    const answers = await runConcurrently(chosen, 4, async (vector) =>
      askUntilTold(await relayBody(vector)),
    ).finally(() => storm.abort())
    await storming
    expect(answers.map(({ body }) => body['error']).filter(Boolean)).toEqual([])

    const calm = setInterval(() => void node.mine({ blocks: 1 }).catch(() => undefined), 200)
    stops.push(async () => clearInterval(calm))
    for (const { body } of answers)
      expect(await untilFinal(service.url, body['requestId'] as string, 120_000)).toMatchObject({
        status: 'confirmed',
      })
    clearInterval(calm)
    await expectLedgerOfChain(service.url, chain.rpcUrls[0] ?? '', chosen)
    return { faults }
  } finally {
    for (const stop of stops.toReversed()) await stop()
  }
}
