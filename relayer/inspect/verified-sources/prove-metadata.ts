import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

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
