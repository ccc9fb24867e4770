import { createRequire } from 'node:module'
import type { Abi, Hex } from 'viem'

interface Output {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: { 'a.sol': Record<string, { abi: Abi; evm: { bytecode: { object: string } } }> }
}

/** Compiles one small contract. */
export function compileSource(name: string, source: string): { abi: Abi; bytecode: Hex } {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string }
  const input = {
    language: 'Solidity',
    sources: { 'a.sol': { content: `// SPDX-License-Identifier: MIT\npragma solidity 0.8.30;\n${source}` } },
    settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output
  const compiled = output.contracts['a.sol'][name]
  if (!compiled) throw new Error((output.errors ?? []).map(({ formattedMessage }) => formattedMessage).join())
  return { abi: compiled.abi, bytecode: `0x${compiled.evm.bytecode.object}` }
}
