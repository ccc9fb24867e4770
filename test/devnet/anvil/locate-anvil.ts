import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** The package of this platform that has it. */
export const anvilPackage = `@foundry-rs/anvil-${process.platform}-${architectures[process.arch] ?? process.arch}`

/** Path of the chain's real program: the package's own command is a wrapper that would outlive neither us nor it. */
export function locateAnvil(): string {
  try {
    return join(dirname(require.resolve(`${anvilPackage}/package.json`)), 'bin', 'anvil')
  } catch (cause) {
    throw new Error(
      `The devnet needs the npm package ${anvilPackage}, which is not installed: install the development dependencies ` +
        'with `npm ci`, or configure external chains with CONFIG',
      { cause },
    )
  }
}
