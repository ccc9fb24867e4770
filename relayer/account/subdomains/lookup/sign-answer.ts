import { encodeAbiParameters, encodePacked, keccak256, type Hex } from 'viem'
import { serializeSignature, sign } from 'viem/accounts'
import type { LookupRequest } from './read-lookup.ts'

/**
 * Signs an answer for the resolver contract. Returns abi.encode(result, expires, signature), with the signature over
 * keccak256(0x1900 ‖ resolver ‖ expires ‖ keccak256(request) ‖ keccak256(result)).
 *
 * @param expires Seconds since the epoch after which the contract rejects the answer.
 */
export async function signAnswer(
  request: LookupRequest,
  result: Hex,
  { expires, privateKey }: { expires: bigint; privateKey: Hex },
): Promise<Hex> {
  const hash = keccak256(
    encodePacked(
      ['bytes2', 'address', 'uint64', 'bytes32', 'bytes32'],
      ['0x1900', request.sender, expires, keccak256(request.data), keccak256(result)],
    ),
  )
  const signature = serializeSignature(await sign({ hash, privateKey }))
  return encodeAbiParameters(
    [{ type: 'bytes' }, { type: 'uint64' }, { type: 'bytes' }],
    [result, expires, signature],
  )
}
