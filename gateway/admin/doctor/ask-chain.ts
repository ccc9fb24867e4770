import type { Address, Hex } from 'viem'
import { askNode, type RpcRequest } from '../../../proving/rpc/json-rpc.ts'

/** Milliseconds within which a node has to answer. */
export const PATIENCE_MS = 10_000

/** Returns the results in order, null for a refused request. */
export type AskNode = (requests: readonly RpcRequest[]) => Promise<unknown[]>

/** Asks one node, and rejects where it does not answer within ten seconds. */
export const createAsk =
  (url: string): AskNode =>
  async (requests) =>
    (await askNode(url, requests, AbortSignal.timeout(PATIENCE_MS))).map((one) =>
      'result' in one ? one.result : null,
    )

/** A call at the newest block. */
export const callOf = (to: Address, data: Hex): RpcRequest => ({
  method: 'eth_call',
  params: [{ to, data }, 'latest'],
})

/** A question for the code at an address. */
export const codeAt = (address: Address): RpcRequest => ({
  method: 'eth_getCode',
  params: [address, 'latest'],
})
