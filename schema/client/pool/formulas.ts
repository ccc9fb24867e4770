// SPDX-License-Identifier: MIT
import { encodeAbiParameters, encodePacked, keccak256, type Address, type Hex } from 'viem'
import { FIELD_ORDER } from './note-hashes.ts'

/** The data that a withdrawal's proof is bound to, besides its scope. */
export interface Withdrawal {
  /** The address that may call `withdraw`: the Entrypoint, for a relayed withdrawal. */
  processooor: Address
  data: Hex
}

const withdrawalParameter = {
  type: 'tuple',
  components: [
    { name: 'processooor', type: 'address' },
    { name: 'data', type: 'bytes' },
  ],
} as const
const relayDataParameters = [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }] as const

const hashToField = (bytes: Hex): bigint => BigInt(keccak256(bytes)) % FIELD_ORDER

/** The id of a pool across chains: keccak256(abi.encodePacked(pool, chainId, asset)) mod Fr. */
export function computeScope(pool: Address, chainId: number | bigint, asset: Address): bigint {
  return hashToField(encodePacked(['address', 'uint256', 'address'], [pool, BigInt(chainId), asset]))
}

/** The id of a deposit, which its change notes keep: keccak256(abi.encodePacked(scope, depositNonce)) mod Fr. */
export function computeLabel(scope: bigint, depositNonce: bigint): bigint {
  return hashToField(encodePacked(['uint256', 'uint256'], [scope, depositNonce]))
}

/** The public signal that binds a proof to its withdrawal: keccak256(abi.encode(withdrawal, scope)) mod Fr. */
export function computeContext(withdrawal: Withdrawal, scope: bigint): bigint {
  return hashToField(encodeAbiParameters([withdrawalParameter, { type: 'uint256' }], [withdrawal, scope]))
}

/** `withdrawal.data` of a relayed withdrawal: 96 bytes. The fee is in hundredths of a percent of the withdrawn value. */
export function encodeRelayData({
  recipient,
  feeRecipient,
  relayFeeBps,
}: {
  recipient: Address
  feeRecipient: Address
  relayFeeBps: bigint
}): Hex {
  return encodeAbiParameters(relayDataParameters, [recipient, feeRecipient, relayFeeBps])
}
