import {
  bytesToString,
  decodeFunctionData,
  hexToBytes,
  namehash,
  parseAbi,
  type Address,
  type Hex,
} from 'viem'
import { badRequest } from '../../../errors.ts'

/** The resolver function of ENSIP-10, called for any name. */
const resolverAbi = parseAbi(['function resolve(bytes name, bytes data) view returns (bytes)'])

/** Records that can be looked up. Only addresses have an answer; the others are empty. */
const recordAbi = parseAbi([
  'function addr(bytes32 node) view returns (address)',
  'function addr(bytes32 node, uint256 coinType) view returns (bytes)',
  'function text(bytes32 node, string key) view returns (string)',
  'function contenthash(bytes32 node) view returns (bytes)',
])

/** A requested record. */
export type AskedRecord =
  | { kind: 'address' }
  | { kind: 'coin-address'; coinType: bigint }
  | { kind: 'text' | 'contenthash' }

/** A lookup of one record of a name. */
export interface Lookup {
  /** Exactly as in the request, not normalised: clients normalise before they hash. */
  name: string
  record: AskedRecord
}

/** A request to the name gateway as ERC-3668 carries it. */
export interface LookupRequest {
  /** The resolver contract that will check the answer. */
  sender: Address
  data: Hex
}

/**
 * Decodes a lookup.
 *
 * @throws ServiceError `bad-request` for data that is no lookup of a record of one name.
 */
export function readLookup(data: Hex): Lookup {
  try {
    const { args } = decodeFunctionData({ abi: resolverAbi, data })
    const name = readDnsName(hexToBytes(args[0]))
    const call = decodeFunctionData({ abi: recordAbi, data: args[1] })
    // The contract checks the whole request; a node of another name would make one name answer for two.
    if (call.args[0] !== namehash(name)) throw new RangeError('the node is not that of the name')
    return { name, record: recordOf(call) }
  } catch (cause) {
    throw badRequest('data: expected a call of resolve(bytes,bytes) for one record', { cause })
  }
}

function recordOf(call: ReturnType<typeof decodeFunctionData<typeof recordAbi>>): AskedRecord {
  if (call.functionName === 'text' || call.functionName === 'contenthash') return { kind: call.functionName }
  const coinType = call.args[1]
  return coinType === undefined ? { kind: 'address' } : { kind: 'coin-address', coinType }
}

/** Decodes a DNS name: labels with their lengths before them, ended by an empty one (RFC 1035 3.1). */
function readDnsName(bytes: Uint8Array): string {
  const labels: string[] = []
  let at = 0
  for (;;) {
    const length = bytes[at]
    if (length === undefined || at + 1 + length > bytes.length) throw new RangeError('the name is cut short')
    if (length === 0) break
    const label = bytesToString(bytes.subarray(at + 1, at + 1 + length))
    if (label.includes('.')) throw new RangeError('a label holds a dot')
    labels.push(label)
    at += 1 + length
  }
  if (at + 1 !== bytes.length) throw new RangeError('there is more after the name')
  return labels.join('.')
}
