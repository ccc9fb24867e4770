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

/** What of it is not installed, by the names of npm. */
export function findMissingPackages(): string[] {
  return PACKAGES.filter(
    (name) => !(resolve.paths(name) ?? []).some((folder) => existsSync(join(folder, name))),
  )
}
