import {
  BaseError,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  parseAbi,
  type Address,
  type Hex,
  type PublicClient,
} from 'viem'
import { isSilence } from '../errors.ts'

/** The target of a proxy, at the newest block. */
export interface Proxy {
  kind: 'eip1167' | 'eip1967' | 'eip1967-beacon'
  /** The contract whose code the proxy runs. */
  implementation: Address
  /**
   * The address that may upgrade it, and whose calls never reach the implementation; null where the slot of EIP-1967 is
   * empty.
   */
  admin: Address | null
}

/** keccak256('eip1967.proxy.implementation') − 1, EIP-1967. */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
/** keccak256('eip1967.proxy.beacon') − 1, EIP-1967. */
const BEACON_SLOT = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'
/** keccak256('eip1967.proxy.admin') − 1, EIP-1967. */
const ADMIN_SLOT = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103'
/** The code of a minimal proxy around the 20 bytes of its implementation, EIP-1167. */
const MINIMAL_PROXY = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/

/**
 * Ample for a getter. The limit matters because any client can have any beacon called, and a node allows a call 50,000,000.
 */
const BEACON_GAS = 200_000n

const beaconAbi = parseAbi(['function implementation() view returns (address)'])

/**
 * Returns the contract behind `address` at the newest block, one hop. Null without a proxy: the code is no minimal proxy
 * (EIP-1167), and the EIP-1967 slots hold neither an implementation nor a beacon with one. A contract may write any value to
 * its own slots, so the answer shows where the proxy points, not that it is honest.
 *
 * @param code Code at the address, as far as the caller has read it.
 * @throws viem's errors when the node does not answer.
 */
export async function readProxy(client: PublicClient, address: Address, code: Hex): Promise<Proxy | null> {
  const minimal = MINIMAL_PROXY.exec(code.toLowerCase())?.[1]
  if (minimal) return { kind: 'eip1167', implementation: getAddress(`0x${minimal}`), admin: null }
  const [implementation, beacon, admin] = await Promise.all([
    readSlot(client, address, IMPLEMENTATION_SLOT),
    readSlot(client, address, BEACON_SLOT),
    readSlot(client, address, ADMIN_SLOT),
  ])
  if (implementation) return { kind: 'eip1967', implementation, admin }
  const named = beacon && (await readBeacon(client, beacon))
  return named ? { kind: 'eip1967-beacon', implementation: named, admin } : null
}

/** Returns the address in the last 20 bytes of a slot; null where the slot holds none. */
async function readSlot(client: PublicClient, address: Address, slot: Hex): Promise<Address | null> {
  const word = BigInt((await client.getStorageAt({ address, slot, blockTag: 'latest' })) ?? '0x0')
  if (word === 0n || word >= 1n << 160n) return null
  return getAddress(`0x${word.toString(16).padStart(40, '0')}`)
}

/** Null where the beacon names no implementation: it reverts, has no code or returns something else. */
async function readBeacon(client: PublicClient, beacon: Address): Promise<Address | null> {
  try {
    const data = encodeFunctionData({ abi: beaconAbi })
    const answer = await client.call({ to: beacon, data, gas: BEACON_GAS, blockTag: 'latest' })
    const named = decodeFunctionResult({ abi: beaconAbi, data: answer.data ?? '0x' })
    return BigInt(named) === 0n ? null : named
  } catch (error) {
    if (!(error instanceof BaseError) || isSilence(error)) throw error
    return null
  }
}
