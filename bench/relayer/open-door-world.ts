import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { devnetConfig } from '../../gateway/config/devnet-config.ts'
import { readDescription } from '../../test/devnet/devnet-description.ts'
import { startDevnetHere } from '../../test/harness/start-devnet-here.ts'
import { relayBody } from '../../test/harness/relay-requests.ts'
import { createServiceProcess } from '../../test/harness/service-process.ts'
import { loadRelayVectors, replayVectorDeposits } from '../../test/vectors/load-relay-vectors.ts'
import { readPostgresCpu } from '../measure/read-postgres-cpu.ts'
import { readServiceCpu } from '../service/read-metrics.ts'
import { MEASURED_HTTP } from '../service/start-own-service.ts'
import type { RelayWorld } from './relay-world.ts'

/** A proxy between the service and its node. */
interface Door {
  url: string
  stop(): Promise<void>
}

/** A fresh service that reaches its fresh chain through a proxy. */
export interface DoorWorld<Made extends Door> extends RelayWorld {
  door: Made
  readCpu: () => Promise<number>
  /** Leaves the chain running. */
  stopService(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a devnet with the deposits of the vectors, a proxy before its node, and the service behind that.
 *
 * @param openDoor Gets the URL of the node.
 * @param env Environment of the service.
 */
export async function openDoorWorld<Made extends Door>(
  openDoor: (rpcUrl: string) => Promise<Made>,
  env: Record<string, string> = {},
): Promise<DoorWorld<Made>> {
  const vectors = loadRelayVectors()
  const settings = { chainIds: [31_337], ports: [0], deterministic: true, aspDelaySeconds: 3_600 }
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-door-'))
  const stops = [() => rm(dataDir, { recursive: true, force: true })]
  const stop = async () => {
    for (const one of stops.toReversed()) await one()
  }
  try {
    const logger = pino({ level: 'silent' })
    const devnet = await startDevnetHere({ dataDir, config: devnetConfig.parse(settings), logger })
    stops.push(devnet.stop)
    const [served] = devnet.chains
    const [chain] = (await readDescription(dataDir)).chains
    if (!served || !chain) throw new Error('the devnet has no chain')
    await replayVectorDeposits(vectors, served)
    const door = await openDoor(chain.rpcUrl)
    stops.push(door.stop)
    const file = join(dataDir, 'config.json')
    const config = { chains: [{ ...served, rpcUrls: [door.url] }], http: MEASURED_HTTP }
    await writeFile(file, JSON.stringify(config, asText))
    const serviceDir = join(dataDir, 'service')
    const service = await createServiceProcess({ DATA_DIR: serviceDir, CONFIG: file, ...env })
    const stopService = async () => void (await service.stop())
    stops.push(stopService)
    await service.start()
    const notes = vectors.relays
      .filter(({ pool }) => pool === 'native')
      .map((vector) => ({
        nullifierHash: vector.publicSignals[1] ?? '',
        chain,
        makeBody: () => relayBody(vector),
      }))
    const ofService = readServiceCpu(service.url)
    const cluster = join(serviceDir, 'postgres', 'cluster')
    const readCpu = async () => ((await ofService()) ?? Number.NaN) + readPostgresCpu(cluster)
    return { url: service.url, chains: [chain], notes, door, readCpu, stopService, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
