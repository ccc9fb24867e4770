// SPDX-License-Identifier: MIT
// Reads a page's request to its wallet. A page may send anything: everything is copied, and unknown parts are refused.
import { bytesToHex, isAddress, isHex, stringToHex, type Address, type Hex } from 'viem'
import { fail } from './provider-error.ts'
import type { Call } from '../chain/read-canonical-calls.ts'

/** More than the service takes in one quote. */
const MAX_CALLS = 16
/** EIP-5792: 4,096 bytes in hex. */
const MAX_ID_LENGTH = 8_194
/** Fields that would make a transaction do more than its call. */
const OTHER_POWERS = ['authorizationList', 'blobs', 'blobVersionedHashes']

export interface AppBatch {
  id: string
  chainId: number
  /** Undefined for the address of the app. */
  from: unknown
  calls: Call[]
}

/** The parameter of `wallet_sendCalls`. @throws ProviderError -32602, 5700 for a capability, 5740 for too many calls. */
export function readBatch(asked: unknown): AppBatch {
  const { version, chainId, from, calls, atomicRequired, capabilities, id = randomId() } = readObject(asked)
  if (version !== '2.0.0') fail(-32602, 'version: expected 2.0.0')
  if (typeof atomicRequired !== 'boolean') fail(-32602, 'atomicRequired: expected true or false')
  if (typeof id !== 'string' || id.length > MAX_ID_LENGTH)
    return fail(-32602, 'id: expected at most 4096 bytes')
  if (!Array.isArray(calls) || calls.length === 0) return fail(-32602, 'calls: expected at least one')
  if (calls.length > MAX_CALLS) fail(5740, `calls: expected at most ${MAX_CALLS}`)
  for (const asks of [capabilities, ...calls.map((call) => readObject(call)['capabilities'])])
    demandOptional(asks)
  return { id, chainId: readChainId(chainId), from, calls: calls.map(readCall) }
}

/**
 * The parameter of `eth_sendTransaction`: its one call. The service chooses gas and nonce, whatever the parameter says.
 */
export function readTransaction(asked: unknown): { from: unknown; chainId: number | undefined; call: Call } {
  const transaction = readObject(asked)
  const { from, chainId, data, input = data } = transaction
  if (from === undefined) fail(-32602, 'from: expected the address of the app')
  if (data !== undefined && data !== input) fail(-32602, 'data and input differ')
  if (OTHER_POWERS.some((name) => transaction[name] !== undefined))
    fail(-32602, 'expected a transaction that only makes a call')
  return {
    from,
    chainId: chainId === undefined ? undefined : readChainId(chainId),
    call: readCall({ ...transaction, data: input }),
  }
}

/** @throws ProviderError 5700 if the page demands a capability: none is offered that has to be asked for. */
function demandOptional(capabilities: unknown): void {
  if (capabilities === undefined || capabilities === null) return
  for (const [name, terms] of Object.entries(readObject(capabilities)))
    if ((terms as { optional?: unknown } | null)?.optional !== true)
      fail(5700, `the capability ${name} is not supported`)
}

function readCall(asked: unknown): Call {
  const { to, value = '0x0', data = '0x' } = readObject(asked)
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value))
    return fail(-32602, 'value: expected a number in hex')
  if (!isHex(data) || data.length % 2 !== 0) return fail(-32602, 'data: expected bytes in hex')
  return { to: readAddress(to), value: BigInt(value), data }
}

export function readAddress(asked: unknown): Address {
  return typeof asked === 'string' && isAddress(asked, { strict: false })
    ? asked
    : fail(-32602, 'expected an address')
}

/** Chain ids are hex without leading zeros. */
export function readChainId(asked: unknown): number {
  return typeof asked === 'string' && /^0x[1-9a-f][0-9a-f]{0,12}$/i.test(asked)
    ? Number(asked)
    : fail(-32602, 'chainId: expected a number in hex')
}

/** A message to sign: bytes in hex, or a text of an app that does not know better. */
export function readBytes(asked: unknown): Hex {
  if (typeof asked !== 'string') return fail(-32602, 'expected a message')
  return isHex(asked) && asked.length % 2 === 0 ? asked : stringToHex(asked)
}

export function readObject(asked: unknown): Record<string, unknown> {
  if (typeof asked !== 'object' || asked === null || Array.isArray(asked))
    return fail(-32602, 'expected an object')
  return asked as Record<string, unknown>
}

const randomId = () => bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
