import { z } from 'zod'
import type { SimulateJob, StateOverride } from '../proving-pool.ts'
import type { RpcRequest, RpcResults } from './json-rpc.ts'

export type Hex = `0x${string}`
export type BlockTag = 'pending' | 'latest'

export interface SimulatedLog {
  address: Hex
  topics: readonly Hex[]
  data: Hex
}

/** What a node says of a call: as the outcome of the pool, with the reason of a failure still to be decoded. */
export type CallResult =
  | { success: true; gasUsed: bigint; logs: readonly SimulatedLog[]; returnData: Hex }
  | { success: false; gasUsed: bigint | null; data: Hex; message: string }

export type ProvidedJob = Pick<SimulateJob, 'call' | 'stateOverrides' | 'authorizations'>

/** One way of asking a node what a call would do. */
export interface Provider {
  /** Name that the outcome carries. */
  name: string
  /** All in one round trip. */
  requests(job: ProvidedJob, block: BlockTag): readonly RpcRequest[]
  /** Reads the answers; throws the refusal, or a ZodError when the answer has an unknown form. */
  read(results: RpcResults): CallResult
}

export const hex = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]*$/)])
export const quantity = hex.transform(BigInt)
export const log = z.object({ address: hex, topics: z.array(hex), data: hex })

/** The call as JSON-RPC writes it. */
export function toRpcCall({ from, to, data, value, gas }: SimulateJob['call']) {
  return { from, ...(to && { to }), data, value: toQuantity(value), gas: toQuantity(gas) }
}

const toQuantity = (value: bigint): Hex => `0x${value.toString(16)}`

/**
 * The state overrides as JSON-RPC writes them; undefined where there are none. Authorizations become the codes that
 * they would set: what they cost is then missing from the gas.
 */
export function toRpcOverrides({ stateOverrides = {}, authorizations = [] }: ProvidedJob) {
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

/** The result at a place of a batch; throws the refusal that stands there instead. */
export function resultAt(results: RpcResults, index: number): unknown {
  const entry = results[index]
  if (!entry) throw new RangeError(`no answer ${index}`)
  if ('refusal' in entry) throw entry.refusal
  return entry.result
}
