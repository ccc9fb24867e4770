import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { Address } from 'viem'
import type { Assigned } from './assign-queued.ts'
import type { RelayingChain } from '../nodes/chain.ts'
import type { ConfiguredSigner } from '../nodes/relayer-config.ts'
import { extraFeeOf, NO_EXTRA_FEES } from '../nodes/sending-price.ts'
import type { Reviewer, Settling } from './broadcast-engine.ts'
import type { Market } from './compute-fees.ts'
import type { BroadcastConfig } from './config.ts'
import type { NodeRequest } from './list-nodes.ts'
import type { SignerAccount } from './signers.ts'
import { bytesOf, type UnsignedCall } from './sign-attempt.ts'
import type { SimulatedOrigins } from './simulate-as-sent.ts'
import type { ProgressBoard } from './progress-board.ts'

/** An account of the service that sends transactions; its chain data is as of the last read. */
export interface Signer {
  readonly account: SignerAccount
  readonly duty: ConfiguredSigner['duty']
  /** Whether this instance claimed its lease last time; the database is authoritative. */
  leased: boolean
  /** Wei; null before the first read. */
  balance: bigint | null
  /** Its transactions that the chain has counted; null before the first read. */
  txNonce: number | null
  /**
   * The next nonce to hand out, as far as this instance knows; null while it has to be read. The database is authoritative.
   */
  nextTxNonce: number | null
  /** Number of its transactions that are not final. */
  pending: number
  /** Most wei that its unmined transactions may cost. */
  reserved: bigint
  /** Since when its next transaction in line is missing; null when none is. */
  gapSince: number | null
  alarmed: boolean
  /** The turn in which it was last chosen for a simulation; 0 before the first. */
  lastTurn: number
}

/** Everything that sending on one chain works with; one plain object for all steps. */
export interface Outbox {
  readonly chain: RelayingChain
  readonly nodes: readonly NodeRequest[]
  /** The nodes that receive transactions: the chain's private endpoints where it has some, else its nodes. */
  readonly takers: readonly NodeRequest[]
  readonly pool: DatabasePool
  readonly logger: Logger
  readonly config: BroadcastConfig
  /** This instance, as leases name it. */
  readonly owner: string
  readonly signers: ReadonlyMap<Address, Signer>
  /** The handler that books the outcomes of each kind, and the duty of its signers. */
  readonly handlers: ReadonlyMap<string, Settling>
  /** The reviewer of each kind's long-waiting transactions. */
  readonly reviewers: ReadonlyMap<string, Reviewer>
  readonly board: ProgressBoard
  /** Milliseconds. */
  now(): number
  /** Processes the queue again. */
  dispatch(): void
  /** Whether a transaction waited for a signer in the last round. */
  hasQueued: boolean
  /** Transactions of all instances that were not final when last counted, and this instance's writes since. */
  underWay: { count: number; countedAt: number }
  /** When the accounts of this instance's signers were last read; -Infinity before. */
  lookedAt: number
  /** The same of all signers, whichever instance has them. */
  lookedAtAllAt: number
  /**
   * Sends transactions to nodes for the first time, in few runs at once: each run holds a database connection until the
   * nodes have answered. Transactions that arrive meanwhile are sent together in the next run.
   */
  firstOffers(assigned: readonly Assigned[]): Promise<void>
  /** Transactions that are being sent; the watcher leaves them alone. */
  readonly inHand: Set<string>
  readonly simulatedOrigins: SimulatedOrigins
  /** When an unfinished transaction was last sent to a node. */
  readonly handedOverAt: Map<string, number>
  /** When an unmined transaction was last reviewed by its kind. */
  readonly reviewedAt: Map<string, number>
  /** When an unmined transaction was last found unfit to be sent again, or could not be checked. */
  readonly heldAt: Map<string, number>
  /** Transactions that would fail, by the number of the first block after which they would. */
  readonly failingSince: Map<string, bigint>
  /** When the nodes last failed to prove that a transaction may give up its nonce. */
  readonly unprovenAt: Map<string, number>
  /** Queued transactions that their fees do not cover, and until when the queue skips them. */
  readonly uncovered: Map<string, number>
  /** Queued transactions that could not be reviewed, until all others have had their turn. */
  readonly unreviewable: Set<string>
}

/** A transaction with its nonce, as far as sending it needs to know. */
export interface SignedOutbound {
  id: string
  kind: string
  reference: string
  signer: Address
  txNonce: number
  value: bigint
  /** Why it can only fail by now. */
  pointless?: string | null
}

/** Kind of our own transactions that do nothing but use up a nonce. */
export const NONCE_FILLER = 'nonce-filler'

/** The key of a signer's row: one address has one row per chain. */
export const signerKey = (outbox: Outbox, address: Address) => ({
  chainId: outbox.chain.config.chainId,
  address,
})

/** Wei that a call may cost at most in addition to its gas: twice what it would now, as with the base fee. */
export const mostExtraOf = ({ chain }: Outbox, call: UnsignedCall) =>
  2n * extraFeeOf(chain.extraFees() ?? NO_EXTRA_FEES, { gas: call.gasLimit, bytes: bytesOf(call) })

/** Returns the price of the next block; null before the chain's first answer. */
export function readMarket(outbox: Outbox): Market | null {
  const [head, tip] = [outbox.chain.head(), outbox.chain.tip()]
  if (!head || tip === null || outbox.chain.extraFees() === null) return null
  return { baseFee: head.baseFeePerGas, tip }
}
