import type { Address, Hash, Hex } from 'viem'
import type { DatabaseTransactionConnection } from 'slonik'
import type { Beside } from '../../../db/chain/broadcast/outbound-queue.ts'
import type { Cover, OutboundAuthorization } from '../../../db/chain/broadcast/outbound-rows.ts'
import type { ConfiguredSigner, Duty } from '../nodes/list-signers.ts'
import type { CoveredCall } from './cover.ts'
import type { Fees } from './compute-fees.ts'

/** A transaction that the service wants on chain. Written to the outbox inside the caller's database transaction. */
export interface OutboundCall {
  chainId: number
  /** Names the settlement handler, e.g. `relay`. */
  kind: string
  /** Id of the row of that kind that this transaction serves, unique within the kind. */
  reference: string
  to: Address
  data: Hex
  /** Native value in wei. */
  value: bigint
  /** With what the authorizations cost. */
  gasLimit: bigint
  /** EIP-7702 delegations of other accounts that take effect first; every form of the transaction carries them. */
  authorizations?: readonly OutboundAuthorization[]
  /**
   * The cost that its fee covers; null where it has no fee. It is signed while sending costs no more, within a tolerance, and
   * no form of it costs more than a bound.
   */
  cover?: Cover | null
  /** The signer that it was simulated from: it sends it, unless it has no room or no money left. */
  origin?: Address
}

/**
 * The outcome of an outgoing transaction. `fee` is the wei that the signer paid: gasUsed · effectiveGasPrice, and the extra
 * charges of rollups.
 */
export type Settlement =
  | {
      status: 'confirmed'
      hash: Hash
      blockNumber: bigint
      blockHash: Hash
      signer: Address
      fee: bigint
      gasUsed: bigint
      logs: readonly SettledLog[]
    }
  | {
      status: 'reverted'
      hash: Hash
      blockNumber: bigint
      blockHash: Hash
      signer: Address
      fee: bigint
      gasUsed: bigint
    }
  /** Never mined, and cannot be mined any more: its nonce was taken by another transaction of ours, or it was refused before it was sent. */
  | { status: 'abandoned'; reason: string }

/** A log of the transaction that settled. */
export interface SettledLog {
  address: Address
  topics: readonly Hex[]
  data: Hex
}

/** A transaction of a kind that is over. `pointless`: why a transfer of nothing was offered in its place; any of its forms may have been mined. */
export interface Settled {
  outbound: { id: string; reference: string; chainId: number; value: bigint; pointless: string | null }
  settlement: Settlement
}

/** Runs inside the database transaction that settles the outbox rows, so both happen or neither; no other side effects. */
export type SettlementHandler = (
  connection: DatabaseTransactionConnection,
  settled: readonly Settled[],
) => Promise<void>

/** How transactions of a kind are sent and booked. */
export interface Settling {
  run: SettlementHandler
  /** How many it may be given in one transaction, all of one chain. Where one of several fails, each is settled by itself. */
  atOnce: number
  /** Only signers with this duty send the kind. */
  duty: Duty
}

/** A transaction that waits, as it was queued. */
export type WaitingCall = Pick<
  OutboundCall,
  'chainId' | 'kind' | 'reference' | 'to' | 'data' | 'value' | 'gasLimit'
>

/**
 * Looks again at transactions of a kind that wait long. Each answer is why the transaction can only fail by now, or null
 * while it may succeed; a rejection means that nobody knows now, and changes nothing.
 */
export interface Reviewer {
  /** No form of it is signed. One that would fail is abandoned; without an answer it is not sent. */
  queued(call: WaitingCall): Promise<string | null>
  /**
   * Forms of it may be in the pools of nodes, so that a simulation on pending state may see itself. With a reason it is
   * offered as a transfer of nothing: only what cannot succeed in any block to come has one, reorgs included.
   */
  unmined?(call: WaitingCall): Promise<string | null>
  /**
   * No node is known to hold a form of it, or a dearer one is to be signed: why the newest block would refuse it. With a reason
   * it ends once every node denies that it has a form; without an answer no form is given to nodes for now.
   */
  again?(call: WaitingCall): Promise<string | null>
}

/** What a caller may wait for. `sent` means: committed with its hash, and a node took it. */
export type OutboundProgress =
  | { status: 'sent'; hash: Hash }
  | { status: 'confirmed'; hash: Hash }
  | { status: 'reverted'; hash: Hash }
  | { status: 'abandoned'; reason: string }

/**
 * A signer's balance in wei and its load, for the operator's pages. A paused signer gets no new transactions.
 */
export interface SignerStatus {
  chainId: number
  address: Address
  /** What it sends. */
  duty: ConfiguredSigner['duty']
  balance: bigint
  /** Relays that the balance pays for at today's gas price. */
  runway: number
  paused: boolean
  pendingTransactions: number
}

/** The fees of a transaction that is signed now, and what its signer has for it. */
export interface SigningTerms {
  /** By the rule and from the head that the next signature goes by. */
  fees: Fees
  /** Wei, as of the last look. */
  balance: bigint
  /** Wei that its unmined transactions may cost at most. */
  reserved: bigint
}

/**
 * Sends transactions exactly once, through crashes, reorgs, stuck fees and several instances of the service.
 * The row is committed before the broadcast; every replacement's hash is watched until one of them is final.
 */
export interface BroadcastEngine {
  /**
   * Registers who books the outcomes of a kind, and whose signers send it; before {@link BroadcastEngine.start}.
   * @param terms `atOnce` is 1 and `duty` is `sends` unless said.
   */
  onSettled(kind: string, handler: SettlementHandler, terms?: Partial<Omit<Settling, 'run'>>): void
  /** Registers who looks again at transactions of a kind that wait long; before {@link BroadcastEngine.start}. */
  onReview(kind: string, reviewer: Reviewer): void
  start(): Promise<void>
  /** Writes the outbox row in the caller's transaction and gives its id. Call {@link BroadcastEngine.wake} after the commit. */
  enqueue(connection: DatabaseTransactionConnection, call: OutboundCall): Promise<string>
  /**
   * Writes the outbox row in one statement with rows of the caller's own, which get the id, and sends it at once: where a
   * signer is free it is signed in that very statement and never waits in the queue.
   */
  send(call: OutboundCall, inserting: (outboundId: string) => Beside): Promise<string>
  /** Looks at the outbox of a chain now instead of at the next notification. */
  wake(chainId: number): void
  /**
   * Resolves with the first progress after `queued`; rejects with the signal's reason when it is aborted first.
   * @param isNew It was enqueued just now: news of it are still to come.
   */
  waitUntilSent(outboundId: string, signal: AbortSignal, isNew?: boolean): Promise<OutboundProgress>
  /** Every progress of a kind, for the live views; `reference` as given to {@link BroadcastEngine.enqueue}. */
  subscribe(
    listener: (event: {
      kind: string
      reference: string
      chainId: number
      progress: OutboundProgress
    }) => void,
  ): () => void
  /** Calls the listener when progress in other instances may have been missed. @returns A function that ends it. */
  onMissed(listener: () => void): () => void
  /**
   * A signer that a simulation may send from, and its transaction then ({@link OutboundCall.origin}): in turns, so that
   * load is spread. Null when none of the chain's with the duty is fit to send.
   */
  simulationSender(chainId: number, duty: Duty): Address | null
  /** What a transaction of `signer` would be signed with now; null before the chain's first answer, or for a stranger. */
  signingTerms(chainId: number, signer: Address): SigningTerms | null
  /** Transactions of a chain that are not final. */
  pending(chainId: number): Promise<number>
  /** The same as counted within the last second, and what this instance wrote since. */
  underWay(chainId: number): Promise<number>
  signers(): readonly SignerStatus[]
  /** Whether the fee of a transaction covers what sending it costs now, within the tolerance. */
  isCovered(chainId: number, call: CoveredCall): boolean
  /**
   * How many typical transactions the balances of the signers with the duty pay for at the present price, without regard to
   * waiting ones. Null while a balance or the price is unknown, and on chains without signers.
   */
  runway(chainId: number, duty: Duty): number | null
  /** Takes no new work, lets the step in hand end, gives up its leases. */
  stop(): Promise<void>
}
