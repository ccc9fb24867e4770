import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { anvilPackage } from './anvil/locate-anvil.ts'

const { resolve } = createRequire(import.meta.url)

/** Development dependencies that the devnet runs and compiles with. */
const PACKAGES = [
  anvilPackage,
  '@zk-kit/lean-imt',
  '@openzeppelin/contracts',
  '@0xbow/privacy-pools-core-sdk',
  '@across-protocol/contracts',
  '@uniswap/v2-core',
  '@uniswap/v3-core',
  '@uniswap/v3-periphery',
  '@uniswap/swap-router-contracts',
  'canonical-weth',
  'poseidon-solidity',
  'porto',
  'snarkjs',
  'solc',
]

/** @throws Error that names the missing packages, and the remedy. */
export function checkPackages(): void {
  const missing = PACKAGES.filter(
    (name) => !(resolve.paths(name) ?? []).some((folder) => existsSync(join(folder, name))),
  )
  if (missing.length === 0) return
  throw new Error(
    `it needs development packages that are not installed: ${missing.join(', ')}.\n` +
      'To try the devnet, install everything with `npm ci`, without --omit=dev and with NODE_ENV unset. ' +
      'To serve chains, set CONFIG to a JSON file that names them (OPERATING.md, "A configuration").',
  )
}
