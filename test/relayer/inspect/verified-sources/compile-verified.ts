import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Abi, Hex } from 'viem'

const require = createRequire(import.meta.url)

interface Compiled {
  abi: Abi
  metadata: string
  evm: {
    bytecode: { object: string; linkReferences: Links }
    deployedBytecode: {
      object: string
      linkReferences: Links
      immutableReferences: Record<string, { start: number; length: number }[]>
    }
  }
}
type Links = Record<string, Record<string, { start: number; length: number }[]>>

/** Verified.sol as the compiler makes it with its metadata's hash in the code; `Verified` needs the address of `Sums`. */
export function compileVerified(): Record<'Sums' | 'Verified', Compiled> {
  const content = readFileSync(new URL('./Verified.sol', import.meta.url), 'utf8')
  const input = {
    language: 'Solidity',
    sources: { 'dïr/Verified.sol': { content } },
    settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': ['abi', 'metadata', 'evm'] } } },
  }
  const output = JSON.parse(
    (require('solc') as { compile(text: string): string }).compile(JSON.stringify(input)),
  ) as {
    contracts: Record<string, Record<'Sums' | 'Verified', Compiled>>
  }
  const [compiled] = Object.values(output.contracts)
  if (!compiled) throw new Error('Verified.sol does not compile')
  return compiled
}

/** The code with the library's address, or zeros where the compiler left a name. */
export function link(object: string, links: Links, library: Hex = `0x${'00'.repeat(20)}`): Hex {
  let linked = object
  for (const { start, length } of Object.values(links).flatMap((file) => Object.values(file).flat()))
    linked = linked.slice(0, start * 2) + library.slice(2).toLowerCase() + linked.slice((start + length) * 2)
  return `0x${linked}`
}
