import { relayBody } from '../../test/harness/relay-requests.ts'
import { loadRelayVectors, replayVectorDeposits } from '../../test/vectors/load-relay-vectors.ts'
import { startOwnService } from '../service/start-own-service.ts'
import type { Settings } from '../settings.ts'
import type { RelayWorld } from './relay-world.ts'

/** Starts the service anew for each round, with the deposits of the vectors on its chain. */
export async function* openOwnWorlds({ rounds, relayer, tell }: Settings): AsyncGenerator<RelayWorld> {
  const vectors = loadRelayVectors()
  const native = vectors.relays.filter(({ pool }) => pool === 'native').slice(0, relayer.notes)
  for (let round = 0; round < rounds; round += 1) {
    tell(`starting the service for round ${round + 1} of ${rounds}`)
    const { url, chain, readCpu, stop } = await startOwnService({ http: { loopDelayEveryMs: 2 } })
    try {
      await replayVectorDeposits(vectors, { ...chain, rpcUrls: [chain.rpcUrl] })
      const notes = native.map((vector) => ({
        nullifierHash: vector.publicSignals[1] ?? '',
        chain,
        makeBody: () => relayBody(vector),
      }))
      yield { url, chains: [chain], notes, readCpu }
    } finally {
      await stop()
    }
  }
}
