import type { UnratedRow } from '../measure/row.ts'
import type { Settings } from '../settings.ts'
import { benchClearSigning } from './bench-clear-signing.ts'
import { benchSimulation } from './bench-simulation.ts'
import { benchSignatures } from './bench-signatures.ts'

/** Measures the requests of a wallet before a signature. */
export async function benchInspect(settings: Settings): Promise<UnratedRow[]> {
  return [
    ...(await benchSimulation(settings)),
    ...(await benchClearSigning(settings)),
    ...(await benchSignatures(settings)),
  ]
}
