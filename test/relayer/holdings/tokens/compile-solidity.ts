import { readFileSync } from 'node:fs'
import solc from 'solc'
import type { Abi, Hex } from 'viem'

export interface Compiled {
  abi: Abi
  bytecode: Hex
}

/** Compiles one Solidity file: its contracts by their names. */
export function compileSolidity(file: URL): Record<string, Compiled> {
  const sources = { 'input.sol': { content: readFileSync(file, 'utf8') } }
  const settings = {
    evmVersion: 'paris',
    optimizer: { enabled: true, runs: 1 },
    // No hash of the sources: the same code gives the same bytes.
    metadata: { appendCBOR: false, bytecodeHash: 'none' },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  }
  const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings }))) as {
    errors?: { severity: string; formattedMessage: string }[]
    contracts: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
  }
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  return Object.fromEntries(
    Object.entries(output.contracts['input.sol'] ?? {}).map(([name, { abi, evm }]) => [
      name,
      { abi, bytecode: `0x${evm.bytecode.object}` as const },
    ]),
  )
}
