import { readFileSync } from 'node:fs'
import { compileSolidity as compileSources, type Compiled } from '../../../harness/compile-solidity.ts'

const SETTINGS = {
  evmVersion: 'paris',
  optimizer: { enabled: true, runs: 1 },
  // No hash of the sources: the same code gives the same bytes.
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
}

/** Compiles one Solidity file: its contracts by their names. */
export const compileSolidity = (file: URL): Record<string, Compiled> =>
  compileSources({ 'input.sol': readFileSync(file, 'utf8') }, SETTINGS)
