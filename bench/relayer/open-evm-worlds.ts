import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { devnetConfig } from '../../relayer/devnet/config.ts'
import { readDescription } from '../../relayer/devnet/devnet-description.ts'
import { startDevnet } from '../../relayer/devnet/start-devnet.ts'
import { relayBody } from '../../test/harness/relay-requests.ts'
import { createServiceProcess } from '../../test/harness/service-process.ts'
import { methodMissing, startNodeDoor } from '../../test/proving/simulation/start-node-door.ts'
import { loadRelayVectors, replayVectorDeposits } from '../../test/vectors/load-relay-vectors.ts'
import { MEASURED_HTTP } from '../service/start-own-service.ts'
import type { Settings } from '../settings.ts'
import type { RelayWorld } from './relay-world.ts'

/** Of each round: what is measured is our CPU, which needs no more. */
const NOTES = 20
const HIDDEN = new Set(['eth_simulateV1', 'debug_traceCall'])

/** The service on a chain whose node can only run calls, so that its own EVM simulates; started anew for each round. */
export async function* openEvmWorlds({ rounds, relayer, tell }: Settings): AsyncGenerator<RelayWorld> {
  const vectors = loadRelayVectors()
  const native = vectors.relays.filter(({ pool }) => pool === 'native')
  const devnetSettings = { chainIds: [31_337], ports: [0], deterministic: true, aspDelaySeconds: 3_600 }
  const config = devnetConfig.parse(devnetSettings)
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  for (let round = 0; round < rounds; round += 1) {
    tell(`starting the service without a node that simulates, round ${round + 1} of ${rounds}`)
    const dataDir = await mkdtemp(join(tmpdir(), 'bench-evm-'))
    const stops = [() => rm(dataDir, { recursive: true, force: true })]
    try {
      const devnet = await startDevnet({ dataDir, config, logger: pino({ level: 'silent' }) })
      stops.push(devnet.stop)
      const [settings] = devnet.chains
      const [chain] = (await readDescription(dataDir)).chains
      if (!settings || !chain) throw new Error('the devnet has no chain')
      await replayVectorDeposits(vectors, settings)
      const door = await startNodeDoor(chain.rpcUrl, ({ method }) =>
        HIDDEN.has(method) ? methodMissing : null,
      )
      stops.push(door.stop)
      const file = join(dataDir, 'config.json')
      const served = { chains: [{ ...settings, rpcUrls: [door.url] }], http: MEASURED_HTTP }
      await writeFile(file, JSON.stringify(served, asText))
      const service = await createServiceProcess({ DATA_DIR: join(dataDir, 'service'), CONFIG: file })
      stops.push(async () => void (await service.stop()))
      await service.start()
      const notes = native.slice(0, Math.min(NOTES, relayer.notes)).map((vector) => ({
        nullifierHash: vector.publicSignals[1] ?? '',
        chain,
        makeBody: () => relayBody(vector),
      }))
      yield { url: service.url, chains: [chain], notes }
    } finally {
      for (const stop of stops.toReversed()) await stop()
    }
  }
}
