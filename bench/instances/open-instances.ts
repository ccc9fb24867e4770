import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { keccak256, parseEther, stringToHex, toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { startEmbeddedPostgres } from '../../db/embedded-postgres/start-embedded-postgres.ts'
import { devnetConfig } from '../../gateway/config/devnet-config.ts'
import { readDescription, type DescribedChain } from '../../test/devnet/devnet-description.ts'
import { startDevnetHere } from '../../test/harness/start-devnet-here.ts'
import { askNode } from '../../test/harness/ask-node.ts'
import { countRpc } from '../../test/harness/count-rpc.ts'
import { startDoor } from '../../test/harness/start-door.ts'
import { startInstances } from '../../test/harness/start-instances.ts'
import { findRedisServer, startRedis } from '../../test/harness/start-redis.ts'
import { loadRelayVectors, replayVectorDeposits } from '../../test/vectors/load-relay-vectors.ts'
import { MEASURED_HTTP } from '../service/start-own-service.ts'

/** Signers of the chain for each instance. */
const SIGNERS_EACH = 4

/** Instances of the service with a fresh chain, whose node answers late. */
export interface InstancesWorld {
  urls: readonly string[]
  chain: DescribedChain
  /** Data folder of their PostgreSQL. */
  cluster: string
  /** Methods of each round trip to the node since the last call; none where the node is far. */
  takeTrips(): string[][]
  stop(): Promise<void>
}

/**
 * Starts a devnet, a proxy before its node, PostgreSQL, Redis, and instances of the service that share them.
 * @param delayMs Milliseconds by which the proxy delays every answer. Without it, the proxy counts requests.
 * @param hasVectors Includes the deposits of the vectors and a stopped clock, with which nothing can be sent.
 */
export async function openInstances(
  count: number,
  { delayMs, hasVectors }: { delayMs: number; hasVectors: boolean },
): Promise<InstancesWorld> {
  const program = findRedisServer('the bench of instances')
  if (!program) throw new Error('there is no redis-server on PATH')
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-instances-'))
  const stops: (() => unknown)[] = [() => rm(dataDir, { recursive: true, force: true })]
  const stop = async () => {
    for (const one of stops.toReversed()) await one()
  }
  try {
    const logger = pino({ level: 'silent' })
    const config = devnetConfig.parse({
      chainIds: [31_337],
      ports: [0],
      aspDelaySeconds: 3_600,
      deterministic: hasVectors,
    })
    const devnet = await startDevnetHere({ dataDir, config, logger })
    stops.push(devnet.stop)
    const [chain] = (await readDescription(dataDir)).chains
    const [served] = devnet.chains
    if (!chain || !served?.relayer) throw new Error('the devnet has no chain')
    const { relayer } = served
    if (hasVectors) await replayVectorDeposits(loadRelayVectors(), served)
    const keysFor = (duty: string) =>
      Array.from({ length: count * SIGNERS_EACH }, (_, index) => keccak256(stringToHex(`${duty} ${index}`)))
    const keys = { signerKeys: keysFor('sends'), relaySignerKeys: keysFor('relays') }
    for (const key of [...keys.signerKeys, ...keys.relaySignerKeys])
      await askNode(chain.rpcUrl, 'anvil_setBalance', privateKeyToAddress(key), toHex(parseEther('100')))
    const [far, near] =
      delayMs > 0 ? [await startDoor(chain.rpcUrl), null] : [null, await countRpc(chain.rpcUrl)]
    const door = far ?? near
    stops.push(door.close)
    const database = await startEmbeddedPostgres({ dataDir, logger, settings: { max_connections: '200' } })
    stops.push(database.stop)
    const redis = await startRedis(program)
    stops.push(redis.stop)
    const instances = await startInstances({
      count,
      chains: [{ ...served, rpcUrls: [door.url], relayer: { ...relayer, ...keys } }],
      environment: { DATABASE_URL: database.url, REDIS_URL: redis.url },
      settings: { http: { ...MEASURED_HTTP, trustedProxies: 1 } },
    })
    stops.push(instances.stop)
    // Only now, because the start is not measured.
    far?.delay(delayMs)
    return {
      urls: instances.list.map(({ url }) => url),
      chain,
      cluster: join(dataDir, 'postgres', 'cluster'),
      takeTrips: () => near?.take() ?? [],
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
