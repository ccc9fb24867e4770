import { fileURLToPath } from 'node:url'
import type { Circuit } from '../../../proving/proving-pool.ts'

/** Path of a circuit's artifact inside the published SDK package. */
export function circuitFile(circuit: Circuit, kind: 'wasm' | 'zkey' | 'vkey'): string {
  return fileURLToPath(
    new URL(`artifacts/${circuit}.${kind}`, import.meta.resolve('@0xbow/privacy-pools-core-sdk')),
  )
}
