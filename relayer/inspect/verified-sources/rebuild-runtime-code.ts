import { hexToBytes, type Hex } from 'viem'
import type { ToldContract } from './ask-sourcify.ts'
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

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
export function rebuildRuntimeCode({ runtimeBytecode }: ToldContract): Uint8Array | null {
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

/** The key `ipfs` in CBOR, and the head of the following 34 bytes: sha2-256, 32 bytes (Solidity, "Contract Metadata"). */
const IPFS_KEY = Buffer.from('646970667358221220', 'hex')
const HASH_BYTES = 32

/**
 * True if the hash at the end of a contract's code is of these metadata. Then sources and settings are byte by byte
 * those that were compiled.
 * The compiler writes the metadata as JSON with sorted members and everything beyond ASCII escaped. The code ends
 * with the IPFS CID of that text: sha-256 of a dag-pb node that holds it as one chunk of a UnixFS file.
 */
export function proveMetadata(metadata: object, code: Uint8Array): boolean {
  const hash = findMetadataHash(code)
  const text = canonicalize(metadata)
  if (!hash || text === undefined) return false
  const escaped = text.replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return hashOfFile(Buffer.from(escaped)).equals(hash)
}

/** The last two bytes are the length of the CBOR before them. */
function findMetadataHash(code: Uint8Array): Buffer | null {
  const bytes = Buffer.from(code.buffer, code.byteOffset, code.byteLength)
  if (bytes.length < 2) return null
  const end = bytes.length - 2
  const start = end - bytes.readUInt16BE(end)
  if (start < 0) return null
  const cbor = bytes.subarray(start, end)
  const at = cbor.indexOf(IPFS_KEY)
  if (at < 0) return null
  const hash = cbor.subarray(at + IPFS_KEY.length, at + IPFS_KEY.length + HASH_BYTES)
  return hash.length === HASH_BYTES ? hash : null
}

function hashOfFile(data: Buffer): Buffer {
  const length = varint(data.length)
  const file = Buffer.concat([Buffer.from([0x08, 0x02, 0x12]), length, data, Buffer.from([0x18]), length])
  const node = Buffer.concat([Buffer.from([0x0a]), varint(file.length), file])
  return createHash('sha256').update(node).digest()
}

/** Encodes an unsigned number in groups of seven bits, the lowest first (Protocol Buffers, "Base 128 Varints"). */
function varint(number: number): Buffer {
  const bytes: number[] = []
  let rest = number
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128)
  return Buffer.from([...bytes, rest])
}
