import { slice, type Hex } from 'viem'
import type { AskedContract } from './serve-sourcify.ts'

/**
 * Sourcify's answer about a contract whose code was compiled with these sources. It is `match` alone, because the
 * devnet's contracts have no metadata hash in their code.
 */
export function describeMatch({ chainId, address, code, name, compiled }: AskedContract) {
  const { abi, metadata, runtimeBytecode, immutableReferences } = compiled
  const immutables = Object.entries(immutableReferences)
  return {
    match: 'match',
    creationMatch: null,
    runtimeMatch: 'match',
    chainId,
    address,
    abi,
    compilation: { fullyQualifiedName: `${name}.sol:${name}` },
    metadata: JSON.parse(metadata) as unknown,
    runtimeBytecode: {
      recompiledBytecode: runtimeBytecode,
      transformations: immutables.flatMap(([id, places]) =>
        places.map(({ start }) => ({ type: 'replace', reason: 'immutable', offset: start, id })),
      ),
      transformationValues: {
        ...(immutables.length > 0 && { immutables: Object.fromEntries(immutables.map(valueIn(code))) }),
      },
      immutableReferences,
      cborAuxdata: {},
    },
  }
}

const valueIn =
  (code: Hex) =>
  ([id, [place]]: [string, { start: number; length: number }[]]) => [
    id,
    place ? slice(code, place.start, place.start + place.length) : '0x',
  ]
