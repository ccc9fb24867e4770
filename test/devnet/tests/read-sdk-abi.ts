import { readFileSync } from 'node:fs'
import type { Abi } from 'viem'

/** An ABI inside the published SDK, which exports none: read from its TypeScript source, where it is a plain literal. */
export function readSdkAbi(name: 'IEntrypoint' | 'IPrivacyPool'): Abi {
  const file = new URL(`../../src/abi/${name}.ts`, import.meta.resolve('@0xbow/privacy-pools-core-sdk'))
  const source = readFileSync(file, 'utf8')
  const literal = source.slice(source.indexOf('['), source.lastIndexOf(']') + 1)
  return JSON.parse(quoteKeys(literal)) as Abi
}

/** Turns the literal into JSON: keys in quotes, no commas before closing brackets. */
function quoteKeys(literal: string): string {
  return literal
    .replaceAll(/([{,]\s*)([a-zA-Z]+):/g, '$1"$2":')
    .replaceAll("'", '"')
    .replaceAll(/,(\s*[}\]])/g, '$1')
}
