import { readFileSync } from 'node:fs'
import solc from 'solc'
import type { Abi, Hex } from 'viem'

export interface Compiled {
  abi: Abi
  bytecode: Hex
}

/** Compiles Solidity files of this folder: contracts by their names. */
export function compileContracts(...files: string[]): Record<string, Compiled> {
  const sources = Object.fromEntries(
    files.map((file) => [file, { content: readFileSync(new URL(file, import.meta.url), 'utf8') }]),
  )
  const outputSelection = { '*': { '*': ['abi', 'evm.bytecode.object'] } }
  const settings = { evmVersion: 'cancun', optimizer: { enabled: true, runs: 200 }, outputSelection }
  const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })))
  const errors = (output.errors ?? []).filter(({ severity }: { severity: string }) => severity === 'error')
  if (errors.length > 0) throw new Error(JSON.stringify(errors))
  const compiled: Record<string, Compiled> = {}
  for (const contracts of Object.values(output.contracts)) {
    for (const [name, { abi, evm }] of Object.entries(contracts as Record<string, never>) as [
      string,
      { abi: Abi; evm: { bytecode: { object: string } } },
    ][]) {
      compiled[name] = { abi, bytecode: `0x${evm.bytecode.object}` }
    }
  }
  return compiled
}
