// SPDX-License-Identifier: MIT
/**
 * Messages between the page of an app and the window of a wallet. Both take a message only from the other window, and
 * believe its origin as the browser gives it, and no other member about the sender.
 */
import type { AppAnswer } from './announce-provider.ts'

/** Marks the messages among others of a page. */
export const APP_WINDOW = 'stealth-wallet'

/** A request of the page. */
export interface WindowRequest {
  type: typeof APP_WINDOW
  /** Chosen by the page; its answer has the same. */
  id: number
  /** The chain that is active in the page. */
  chainId: number
  method: string
  params: readonly unknown[]
}

/**
 * Messages of the wallet: the window listens; the user agreed, so the request may be under way whatever happens to the
 * window; the answer.
 */
export type WindowReply =
  | { type: typeof APP_WINDOW; kind: 'ready' }
  | { type: typeof APP_WINDOW; kind: 'agreed'; id: number }
  | ({ type: typeof APP_WINDOW; kind: 'answer'; id: number } & AppAnswer)

/** A request; null for anything else, also one that is malformed. */
export function readWindowRequest(data: unknown): WindowRequest | null {
  if (typeof data !== 'object' || data === null) return null
  const { type, id, chainId, method, params } = data as Partial<WindowRequest>
  if (type !== APP_WINDOW || !Number.isSafeInteger(id) || !Number.isSafeInteger(chainId)) return null
  return typeof method === 'string' && Array.isArray(params) ? (data as WindowRequest) : null
}
