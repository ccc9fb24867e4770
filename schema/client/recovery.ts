// SPDX-License-Identifier: MIT
/** A way out without the service: finds all that the two keys own, and brings it to another address. */
export {
  findHoldings,
  type Holding,
  type SearchOptions,
  type SearchProgress,
  type SearchResult,
} from './recovery/find-holdings.ts'
export { findJoined } from './recovery/find-joined.ts'
export { deriveOwner, type OwnAddress } from './recovery/own-address.ts'
export { planMoves, type Move, type Plan, type PlanOptions } from './recovery/plan-moves.ts'
export type { Arrival, CoinHolding, CollectibleHolding, TokenHolding, Unit } from './recovery/read-assets.ts'
export type { NoteHolding } from './recovery/read-pool-events.ts'
export type { SaleHolding } from './recovery/read-sales.ts'
export { listRecoveryChains, openRecoveryChain, type RecoveryChain } from './recovery/recovery-chain.ts'
export { runMoves, type MoveState, type RunOptions } from './recovery/run-moves.ts'
