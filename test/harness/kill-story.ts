import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPublicClient, http, parseAbiItem } from 'viem'
import { expect } from 'vitest'
import { loadRelayVectors } from '../vectors/load-relay-vectors.ts'
import { askNode } from './ask-node.ts'
import { controlBlocks } from './control-blocks.ts'
import { post, relayBody, runConcurrently, untilFinal, type RelayBody } from './relay-requests.ts'
import { resumeVectorDeposits } from './resume-service-chains.ts'
import { createServiceProcess, VECTOR_DEVNET } from './service-process.ts'

const withdrawn = parseAbiItem(
  'event Withdrawn(address indexed _processooor, uint256 _value, uint256 _spentNullifier, uint256 _newCommitment)',
)

/**
 * The leases of a killed service end after this time instead of after a quarter of a minute. Deposits stay unreviewed:
 * the ASP and the buyers would be started again with the service each time, and do nothing here.
 */
const SETTINGS = { broadcast: { leaseMs: 2_000 }, devnet: { asp: false, cash: false } }

interface Described {
  chains: { rpcUrl: string }[]
}

/** Sends the request until the service answers, as a client does whose connection broke. */
async function postUntilAnswered(url: string, body: RelayBody): Promise<string> {
  for (;;) {
    const answer = await post(url, '/relayer/request', body).catch(() => null)
    if (answer?.body['success'] === true) return answer.body['requestId'] as string
    if (answer && answer.status < 500) throw new Error(`refused: ${JSON.stringify(answer.body)}`)
    await sleep(200)
  }
}

/**
 * Lets the chain finish its block, and makes no more. Anvil ends with the service, and one that ends while it makes a
 * block writes the block's changes to the accounts, without the block. Sends from now on are lost with the chain's
 * queue.
 */
async function holdBlocks(rpcUrl: string): Promise<void> {
  const blocks = controlBlocks((method, ...params) => askNode(rpcUrl, method, ...params))
  await blocks.hold()
  await blocks.mine()
}

/**
 * Relays the given number of notes while the service is killed at random moments and started again, as often as
 * given. It runs on embedded defaults except for its lease, without an ASP. Afterwards every note is withdrawn exactly once, and
 * every accepted request is confirmed.
 */
export async function killStory(notes: number, kills: number): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kill-test-'))
  const config = join(dataDir, 'config.json')
  await writeFile(config, JSON.stringify(SETTINGS))
  const service = await createServiceProcess({ DATA_DIR: dataDir, CONFIG: config, ...VECTOR_DEVNET })
  try {
    await resumeVectorDeposits(dataDir)
    await service.start()
    const vectors = loadRelayVectors()
    const describe = async () => {
      const { chains } = JSON.parse(await readFile(join(dataDir, 'devnet.json'), 'utf8')) as Described
      if (!chains[0]) throw new Error('devnet.json names no chain')
      return chains[0]
    }

    const chosen = vectors.relays.slice(0, notes)
    const bodies = await Promise.all(chosen.map((vector) => relayBody(vector)))
    const killing = (async () => {
      for (let kill = 0; kill < kills; kill += 1) {
        await sleep(100 + Math.random() * 1_500)
        await holdBlocks((await describe()).rpcUrl)
        await service.kill()
        await service.start()
      }
    })()
    const accepted = await runConcurrently(bodies, 4, (body) => postUntilAnswered(service.url, body))
    await killing

    expect(new Set(accepted).size).toBe(notes)
    for (const requestId of accepted) {
      const final = await untilFinal(service.url, requestId)
      expect(final, JSON.stringify(final)).toMatchObject({ status: 'confirmed' })
    }

    const reader = createPublicClient({ transport: http((await describe()).rpcUrl) })
    const logs = await reader.getLogs({ event: withdrawn, fromBlock: 0n })
    const spent = logs.map(({ args }) => String(args._spentNullifier))
    expect(spent).toHaveLength(notes)
    expect(new Set(spent)).toEqual(new Set(chosen.map(({ publicSignals }) => publicSignals[1])))
  } finally {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
