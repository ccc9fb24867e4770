import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Abi, Hex } from 'viem'

export interface Compiled {
  abi: Abi
  bytecode: Hex
}

interface Compiler {
  compile(input: string): string
}

interface Output {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>
}

const require = createRequire(import.meta.url)
const cacheFolder = new URL('../../node_modules/.cache/test-contracts/', import.meta.url)

/**
 * Compiles Solidity sources, given by file name, to contracts by their names. Results are cached, because loading the
 * compiler takes as long as the tests of many a file.
 * @throws Error with the compiler's message.
 */
export function compileSolidity(
  sources: Readonly<Record<string, string>>,
  settings: object,
): Record<string, Compiled> {
  const input = JSON.stringify({
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(sources).map(([file, content]) => [file, { content }])),
    settings: { ...settings, outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  })
  const { version } = require('solc/package.json') as { version: string }
  const key = createHash('sha256').update(`${version}\0${input}`).digest('hex').slice(0, 32)
  const cached = new URL(`${key}.json`, cacheFolder)
  const known = readKnown(cached)
  if (known) return known
  const compiled = compile(input)
  mkdirSync(cacheFolder, { recursive: true })
  const draft = new URL(`${cached.href}.${process.pid}`)
  writeFileSync(draft, JSON.stringify(compiled))
  renameSync(draft, cached)
  return compiled
}

function readKnown(file: URL): Record<string, Compiled> | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Compiled>
  } catch {
    return null
  }
}

function compile(input: string): Record<string, Compiled> {
  const output = JSON.parse((require('solc') as Compiler).compile(input)) as Output
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  return Object.fromEntries(
    Object.values(output.contracts ?? {})
      .flatMap((contracts) => Object.entries(contracts))
      .map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` as const }]),
  )
}
