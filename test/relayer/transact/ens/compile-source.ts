import { compileSolidity, type Compiled } from '../../../harness/compile-solidity.ts'

/** Compiles one small contract. */
export function compileSource(name: string, source: string): Compiled {
  const content = `// SPDX-License-Identifier: MIT\npragma solidity 0.8.30;\n${source}`
  const compiled = compileSolidity({ 'a.sol': content }, { evmVersion: 'cancun' })[name]
  if (!compiled) throw new Error(`the source has no contract ${name}`)
  return compiled
}
