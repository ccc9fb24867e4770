import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { CONTRACT_NAMES, type ContractBuild, type ImmutableReferences } from './contract-build.ts'
import { renderVerifiers } from './render-verifiers.ts'

const require = createRequire(import.meta.url)
const contracts = new URL('../contracts/', import.meta.url)

/** Poseidon is an external library at an address that is the same on every chain. */
const libraries = {
  'poseidon-solidity/PoseidonT3.sol': { PoseidonT3: '0x3333333C0A88F9BE4fd23ed0536F9B6c427e3B93' },
  'poseidon-solidity/PoseidonT4.sol': { PoseidonT4: '0x4443338EF595F44e0121df4C21102677B142ECF0' },
}

/** How the contracts are compiled; part of the cache's key. */
const compilerSettings = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  libraries,
  outputSelection: {
    '*': {
      '*': [
        'abi',
        'metadata',
        'evm.bytecode.object',
        'evm.bytecode.linkReferences',
        'evm.deployedBytecode.object',
        'evm.deployedBytecode.immutableReferences',
      ],
    },
  },
} as const

interface CompilerOutput {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<
    string,
    Record<
      string,
      {
        abi: never
        metadata: string
        evm: {
          bytecode: { object: string; linkReferences: object }
          deployedBytecode: { object: string; immutableReferences: ImmutableReferences }
        }
      }
    >
  >
}

interface Compiler {
  compile(
    input: string,
    callbacks: { import(path: string): { contents: string } | { error: string } },
  ): string
}

/** Compiles our contracts and the rendered verifiers. Blocks its thread for seconds: run it in a process of its own. */
export async function compileContracts(): Promise<ContractBuild> {
  const sources: Record<string, { content: string }> = {}
  for (const file of readdirSync(contracts)) {
    sources[file] = { content: readFileSync(new URL(file, contracts), 'utf8') }
  }
  for (const [name, content] of Object.entries(await renderVerifiers())) sources[`${name}.sol`] = { content }

  const solc = require('solc') as Compiler
  const input = JSON.stringify({ language: 'Solidity', sources, settings: compilerSettings })
  const output = JSON.parse(solc.compile(input, { import: readPackageSource })) as CompilerOutput
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))

  const builds = CONTRACT_NAMES.map((name) => {
    const compiled = output.contracts[`${name}.sol`]?.[name]
    if (!compiled) throw new Error(`the compiler gave no contract ${name}`)
    const { object, linkReferences } = compiled.evm.bytecode
    const { deployedBytecode } = compiled.evm
    if (Object.keys(linkReferences).length > 0) throw new Error(`${name} uses a library without an address`)
    return [
      name,
      {
        abi: compiled.abi,
        bytecode: `0x${object}`,
        runtimeBytecode: `0x${deployedBytecode.object}`,
        immutableReferences: deployedBytecode.immutableReferences,
        metadata: compiled.metadata,
      },
    ]
  })
  return Object.fromEntries(builds) as ContractBuild
}

function readPackageSource(path: string): { contents: string } | { error: string } {
  try {
    return { contents: readFileSync(require.resolve(path), 'utf8') }
  } catch (error) {
    return { error: String(error) }
  }
}
