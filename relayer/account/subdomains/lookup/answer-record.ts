import { encodeAbiParameters, zeroAddress, type Address, type Hex } from 'viem'
import type { AskedRecord } from './read-lookup.ts'

const ETHER_COIN_TYPE = 60n
/** ENSIP-11: coin types of EVM chains are their chain id with this bit. */
const EVM_BIT = 0x8000_0000n

/**
 * True if a stealth address can answer the record: the plain address, or that of a chain which the service watches.
 * The service would not see money on another chain.
 */
export function wantsAddress(record: AskedRecord, chainIds: ReadonlySet<number>): boolean {
  if (record.kind === 'address') return true
  if (record.kind !== 'coin-address') return false
  const { coinType } = record
  if (coinType === ETHER_COIN_TYPE) return true
  return coinType > EVM_BIT && coinType < 2n * EVM_BIT && chainIds.has(Number(coinType - EVM_BIT))
}

/** Encodes a record as its resolver function returns it; without an address it is empty. */
export function encodeRecord(record: AskedRecord, address: Address | null): Hex {
  const { kind } = record
  if (kind === 'text') return encodeAbiParameters([{ type: 'string' }], [''])
  if (kind === 'contenthash') return encodeAbiParameters([{ type: 'bytes' }], ['0x'])
  if (kind === 'address') return encodeAbiParameters([{ type: 'address' }], [address ?? zeroAddress])
  return encodeAbiParameters([{ type: 'bytes' }], [address ?? '0x'])
}
