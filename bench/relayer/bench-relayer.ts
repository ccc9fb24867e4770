import type { UnratedRow } from '../measure/row.ts'
import type { Settings } from '../settings.ts'
import { openEvmWorlds } from './open-evm-worlds.ts'
import { openLiveWorlds } from './open-live-worlds.ts'
import { openOwnWorlds } from './open-own-worlds.ts'
import { createRelayerTally } from './relayer-tally.ts'
import { runRound } from './run-round.ts'

export interface RelayerResult {
  rows: UnratedRow[]
  latencies: Record<string, number[]>
}

/** Measures the relayer as its clients see it: over HTTP, with withdrawals that are deposited and proven beforehand. */
export async function benchRelayer(settings: Settings): Promise<RelayerResult> {
  const { relayer, tell } = settings
  const tally = createRelayerTally()
  const { url, devnet } = relayer
  const worlds = url && devnet ? openLiveWorlds(settings, url, devnet) : openOwnWorlds(settings)
  for await (const world of worlds) await runRound(world, relayer, tally)
  if (relayer.modes.includes('evm') && url === null)
    for await (const world of openEvmWorlds(settings))
      await runRound(world, { ...relayer, modes: ['full'] }, tally, 'relayer.evm')
  for (const [error, times] of tally.errors()) tell(`refused ${times} times: ${error}`)
  return { rows: tally.rows(), latencies: tally.latencies() }
}
