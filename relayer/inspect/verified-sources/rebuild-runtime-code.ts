import { hexToBytes, type Hex } from 'viem'
import type { ToldContract } from './ask-sourcify.ts'

/** Offset of a library's own address: after the opcode that pushes it. */
const CALL_PROTECTION_OFFSET = 1

interface Patch {
  offset: number
  value: Uint8Array
}

/**
 * Rebuilds the runtime code from the recompiled code and a deployment's values: library addresses, immutable
 * variables, the metadata's hash, a library's call protection. Returns null for any other transformation. Also null
 * for a value of another length, out of bounds or over another value. Immutable variables must be at the compiler's
 * places.
 */
export function rebuildRuntimeCode({
  runtimeBytecode,
}: Pick<ToldContract, 'runtimeBytecode'>): Uint8Array | null {
  const code = Uint8Array.from(hexToBytes(runtimeBytecode.recompiledBytecode as Hex))
  const patches: Patch[] = []
  for (const transformation of runtimeBytecode.transformations ?? []) {
    const patch = patchOf(transformation, runtimeBytecode)
    if (!patch) return null
    patches.push(patch)
  }
  patches.sort((one, other) => one.offset - other.offset)
  let end = 0
  for (const { offset, value } of patches) {
    if (offset < end || offset + value.length > code.length) return null
    end = offset + value.length
    code.set(value, offset)
  }
  return code
}

type Told = ToldContract['runtimeBytecode']

function patchOf(
  { type, reason, offset, id = '' }: NonNullable<Told['transformations']>[number],
  told: Told,
): Patch | null {
  if (type !== 'replace') return null
  const given = told.transformationValues
  const patch = (value: string | null | undefined, length: number): Patch | null => {
    if (value === null || value === undefined) return null
    const bytes = hexToBytes(value as Hex)
    return bytes.length === length ? { offset, value: bytes } : null
  }
  switch (reason) {
    case 'library':
      return patch(own(given?.libraries, id), 20)
    case 'callProtection':
      return offset === CALL_PROTECTION_OFFSET ? patch(given?.callProtection, 20) : null
    case 'immutable': {
      const place = own(told.immutableReferences, id)?.find(({ start }) => start === offset)
      return place ? patch(own(given?.immutables, id), place.length) : null
    }
    case 'cborAuxdata': {
      const place = own(told.cborAuxdata, id)
      return place?.offset === offset
        ? patch(own(given?.cborAuxdata, id), (place.value.length - 2) / 2)
        : null
    }
    default:
      return null
  }
}

const own = <Value>(record: Record<string, Value> | null | undefined, key: string): Value | undefined =>
  record && Object.hasOwn(record, key) ? record[key] : undefined
