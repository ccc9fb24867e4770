import { z } from 'zod'
import type { SimulateJob, StateOverride } from '../simulate-job.ts'
import type { RpcRequest, RpcResults } from '../rpc/json-rpc.ts'

/** Bytes or a quantity as 0x-prefixed hex, as JSON-RPC writes both. */
export type Hex = `0x${string}`
/** A log that the simulated call emitted. */
export interface SimulatedLog {
  address: Hex
  topics: readonly Hex[]
  data: Hex
}

/** Balances in smallest units by owner and token, in their order; null where a token does not report one. */
export type WatchedBalances = readonly (bigint | null)[]

/** A node's result of a call: as the outcome of the pool, with the reason of a failure still to be decoded. */
export type CallResult =
  | {
      success: true
      gasUsed: bigint
      logs: readonly SimulatedLog[]
      returnData: Hex
      /** The watched balances, where the provider can read them in the same block. */
      balances?: { before: WatchedBalances; after: WatchedBalances }
    }
  | { success: false; gasUsed: bigint | null; data: Hex; message: string }

/** The parts of a job that decide what a node is asked. */
export type ProvidedJob = Pick<
  SimulateJob,
  'call' | 'fees' | 'block' | 'stateOverrides' | 'authorizations' | 'watch'
>

/** The form of a request, adapted to what the node understands. */
export interface Phrasing {
  /** Omits overrides that a node may not support: block overrides and validation. Fees are always included. */
  isPlain: boolean
  /** Includes the time of the block. */
  isDated: boolean
  /** Includes the block's number even where the node normally continues its own count. */
  isNumbered: boolean
}

/** One method to ask a node for the effects of a call on the state after its newest block. */
export interface Provider {
  /** Name in the outcome. */
  name: string
  /** True if it reads watched balances. */
  watches?: boolean
  /** All in one round trip. */
  requests(job: ProvidedJob, phrasing: Phrasing): readonly RpcRequest[]
  /** Reads the answers; throws the refusal, or a ZodError when the answer has an unknown form. */
  read(results: RpcResults, job: ProvidedJob): CallResult
  /** True where the call was run in the newest block instead of the one after it. */
  standsStill?(results: RpcResults, job: ProvidedJob): boolean
}

/** Accepts 0x-prefixed hex of any length, `0x` included. */
export const hex = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]*$/)])
/** Parses a JSON-RPC quantity into a bigint. */
export const quantity = hex.transform(BigInt)
/** Accepts a log as nodes return it; members such as the block number are dropped. */
export const log = z.object({ address: hex, topics: z.array(hex), data: hex })

/** Gas of an authorization before the first instruction (EIP-7702, PER_EMPTY_ACCOUNT_COST). */
const AUTHORIZATION_GAS = 25_000n
/** Gas of an address in the access list (EIP-2930). */
const LISTED_ADDRESS_GAS = 2_400n

/** Encodes a bigint as a JSON-RPC quantity: hex without leading zeros. `value` must not be negative. */
export const toQuantity = (value: bigint): Hex => `0x${value.toString(16)}`

/**
 * Encodes the call for JSON-RPC. Authorizations are simulated by overriding codes, which costs no gas and warms no address.
 * So the authorities are put into the access list, and the call gets the gas that the transaction would have left after its
 * authorizations. Contracts thus see the `gasleft()` that they will see on chain.
 */
export function toRpcCall({
  call,
  fees,
  authorizations = [],
}: Pick<ProvidedJob, 'call' | 'fees' | 'authorizations'>) {
  const { from, to, data, value } = call
  const gas = call.gas - (AUTHORIZATION_GAS - LISTED_ADDRESS_GAS) * BigInt(authorizations.length)
  return {
    from,
    ...(to && { to }),
    data,
    value: toQuantity(value),
    gas: toQuantity(gas > 0n ? gas : 0n),
    ...(fees && {
      maxFeePerGas: toQuantity(fees.maxFeePerGas),
      maxPriorityFeePerGas: toQuantity(fees.maxPriorityFeePerGas),
    }),
    ...(authorizations.length > 0 && {
      accessList: authorizations.map(({ authority }) => ({ address: authority, storageKeys: [] })),
    }),
  }
}

/** Returns the gas that a node reports, without the access list that the transaction will not have. */
export const withoutAccessList = (gasUsed: bigint, { authorizations = [] }: ProvidedJob): bigint =>
  gasUsed - LISTED_ADDRESS_GAS * BigInt(authorizations.length)

/** Encodes the block as JSON-RPC overrides, its number apart; undefined where the job has none. */
export function toRpcBlock({ block, fees }: ProvidedJob) {
  if (!block) return undefined
  const { timestamp, coinbase, prevRandao, baseFeePerGas } = block
  // A block that includes the transaction asks no more than its cap; without fees any base fee would be too high.
  const baseFee = fees && (fees.maxFeePerGas < baseFeePerGas ? fees.maxFeePerGas : baseFeePerGas)
  return {
    time: toQuantity(timestamp),
    feeRecipient: coinbase,
    ...(prevRandao && { prevRandao }),
    ...(baseFee !== undefined && { baseFeePerGas: toQuantity(baseFee) }),
  }
}

/**
 * Encodes the state overrides for JSON-RPC; undefined where there are none. Authorizations become the code that they would
 * set, so their cost is missing from the gas that a node reports.
 */
export function toRpcOverrides({
  stateOverrides = {},
  authorizations = [],
}: Pick<ProvidedJob, 'stateOverrides' | 'authorizations'>) {
  const delegated = authorizations.map(
    ({ authority, address }) => [authority, { code: `0xef0100${address.slice(2)}` as Hex }] as const,
  )
  const all = [...Object.entries(stateOverrides), ...delegated]
  if (all.length === 0) return undefined
  return Object.fromEntries(
    all.map(([address, { balance, nonce, ...rest }]: readonly [string, StateOverride]) => [
      address,
      {
        ...rest,
        ...(balance !== undefined && { balance: toQuantity(balance) }),
        ...(nonce !== undefined && { nonce: toQuantity(nonce) }),
      },
    ]),
  )
}

/** Returns the result at a place of a batch; throws the refusal that stands there instead. */
export function resultAt(results: RpcResults, index: number): unknown {
  const entry = results[index]
  if (!entry) throw new RangeError(`no answer ${index}`)
  if ('refusal' in entry) throw entry.refusal
  return entry.result
}
