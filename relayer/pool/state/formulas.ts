import {
  decodeAbiParameters,
  encodeAbiParameters,
  encodePacked,
  keccak256,
  type Address,
  type Hex,
} from 'viem'
import { FIELD_ORDER } from '../../../proving/field-element.ts'

/** The data that a withdrawal's proof is bound to, besides its scope. `data` is opaque to the pool. */
export interface Withdrawal {
  /** The address that may call `withdraw`: the Entrypoint, for a relayed withdrawal. */
  processooor: Address
  data: Hex
}

/** The decoded `data` of a relayed withdrawal: its recipient, and the fee with its recipient. */
export interface RelayData {
  recipient: Address
  feeRecipient: Address
  /** Hundredths of a percent of the withdrawn value. */
  relayFeeBps: bigint
}

const withdrawalParameter = {
  type: 'tuple',
  components: [
    { name: 'processooor', type: 'address' },
    { name: 'data', type: 'bytes' },
  ],
} as const
const relayDataParameters = [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }] as const
const RELAY_DATA_BYTES = 96

const hashToField = (bytes: Hex): bigint => BigInt(keccak256(bytes)) % FIELD_ORDER

/** Computes the id of a pool across chains: keccak256(abi.encodePacked(pool, chainId, asset)) mod Fr. */
export function computeScope(pool: Address, chainId: number | bigint, asset: Address): bigint {
  return hashToField(encodePacked(['address', 'uint256', 'address'], [pool, BigInt(chainId), asset]))
}

/** Computes the id of a deposit, which its change notes keep: keccak256(abi.encodePacked(scope, depositNonce)) mod Fr. */
export function computeLabel(scope: bigint, depositNonce: bigint): bigint {
  return hashToField(encodePacked(['uint256', 'uint256'], [scope, depositNonce]))
}

/** Computes the public signal that binds a proof to its withdrawal: keccak256(abi.encode(withdrawal, scope)) mod Fr. */
export function computeContext(withdrawal: Withdrawal, scope: bigint): bigint {
  return hashToField(encodeAbiParameters([withdrawalParameter, { type: 'uint256' }], [withdrawal, scope]))
}

/** Encodes `withdrawal.data` of a relayed withdrawal: 96 bytes. */
export function encodeRelayData({ recipient, feeRecipient, relayFeeBps }: RelayData): Hex {
  return encodeAbiParameters(relayDataParameters, [recipient, feeRecipient, relayFeeBps])
}

/**
 * Decodes `withdrawal.data` of a relayed withdrawal, with checksummed addresses.
 * Null unless the bytes are exactly those of {@link encodeRelayData}: 96 of them, with nothing above the twenty bytes
 * of an address. The contract reverts on other bytes or ignores a tail, and a tail would be a second spelling of the
 * same data.
 */
export function decodeRelayData(data: Hex): RelayData | null {
  if (!/^0x[0-9a-f]*$/i.test(data) || data.length !== 2 + 2 * RELAY_DATA_BYTES) return null
  const [recipient, feeRecipient, relayFeeBps] = decodeAbiParameters(relayDataParameters, data)
  const decoded = { recipient, feeRecipient, relayFeeBps }
  return encodeRelayData(decoded) === data.toLowerCase() ? decoded : null
}
