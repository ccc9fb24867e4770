import { methodMissing, startNodeDoor } from '../../test/proving/simulation/start-node-door.ts'
import type { Settings } from '../settings.ts'
import { openDoorWorld } from './open-door-world.ts'
import type { RelayWorld } from './relay-world.ts'

/** Of each round; measuring our CPU needs no more. */
const NOTES = 20
const HIDDEN = new Set(['eth_simulateV1', 'debug_traceCall'])

/** Starts the service anew for each round, on a chain whose node can only run calls, so that its own EVM simulates. */
export async function* openEvmWorlds({ rounds, relayer, tell }: Settings): AsyncGenerator<RelayWorld> {
  for (let round = 0; round < rounds; round += 1) {
    tell(`starting the service without a node that simulates, round ${round + 1} of ${rounds}`)
    const world = await openDoorWorld((rpcUrl) =>
      startNodeDoor(rpcUrl, ({ method }) => (HIDDEN.has(method) ? methodMissing : null)),
    )
    try {
      yield { ...world, notes: world.notes.slice(0, Math.min(NOTES, relayer.notes)) }
    } finally {
      await world.stop()
    }
  }
}
