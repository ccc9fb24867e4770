import type { Address, Hash, Hex } from 'viem'
import type { DatabaseTransactionConnection } from 'slonik'
import type { Beside } from '../../../db/chain/broadcast/outbound-queue.ts'
import type { Cover, OutboundAuthorization } from '../../../db/chain/broadcast/outbound-rows.ts'
import type { ConfiguredSigner, Duty } from '../nodes/relayer-config.ts'
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
  /** Includes the gas of the authorizations. */
  gasLimit: bigint
  /** EIP-7702 delegations of other accounts that take effect first; every form of the transaction carries them. */
  authorizations?: readonly OutboundAuthorization[]
  /**
   * The cost that its fee covers; null where it has no fee. It is signed while sending costs no more, within a tolerance; no
   * form of it costs more than a bound.
   */
  cover?: Cover | null
  /** The signer of its simulation, which sends it unless it has no room or money left. */
  origin?: Address
  /** Ids of the clients' requests that it serves, for traces; by default its reference. */
  serves?: readonly string[]
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
  /**
   * Never mined, and cannot be mined any more: another transaction of ours used its nonce, or it was refused before it was
   * sent.
   */
  | { status: 'abandoned'; reason: string }

/** A log of the transaction that settled. */
export interface SettledLog {
  address: Address
  topics: readonly Hex[]
  data: Hex
}

/**
 * An ended transaction of a kind. `pointless`: why a transfer of nothing was offered in its place; any of its forms may have
 * been mined.
 */
export interface Settled {
  outbound: { id: string; reference: string; chainId: number; value: bigint; pointless: string | null }
  settlement: Settlement
}

/**
 * Runs inside the database transaction that settles the outbox rows, so that both happen or neither. It must have no other
 * side effects.
 */
export type SettlementHandler = (
  connection: DatabaseTransactionConnection,
  settled: readonly Settled[],
) => Promise<void>

/** How transactions of a kind are sent and booked. */
export interface Settling {
  run: SettlementHandler
  /** Most transactions of one call, all of one chain. If one of several fails, each is settled by itself. */
  atOnce: number
  /** The duty of signers that may send the kind. */
  duty: Duty
}

/** A waiting transaction, as it was queued. */
export type WaitingCall = Pick<
  OutboundCall,
  'chainId' | 'kind' | 'reference' | 'to' | 'data' | 'value' | 'gasLimit'
>

/**
 * Re-checks transactions of a kind that wait long. Each method returns why the transaction can only fail by now, or null
 * while it may succeed. A rejection means that the outcome is unknown, and changes nothing.
 */
export interface Reviewer {
  /** Checks a transaction without a signed form. A failing one is abandoned; without an answer it is not sent. */
  queued(call: WaitingCall): Promise<string | null>
  /**
   * Checks one whose forms may be in nodes' pools, so that a simulation on pending state may see the transaction itself.
   * With a reason it is offered as a transfer of nothing. Only a transaction that cannot succeed in any future block has a
   * reason, reorgs included.
   */
  unmined?(call: WaitingCall): Promise<string | null>
  /**
   * Returns why the newest block would refuse a transaction that no node is known to hold, or that needs a dearer form. With
   * a reason it ends once every node denies that it has a form. Without an answer, no form is given to nodes for now.
   */
  again?(call: WaitingCall): Promise<string | null>
}

/** Progress that a caller can wait for. `sent`: committed with its hash, and accepted by a node. */
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
  /** The kinds of work that it sends. */
  duty: ConfiguredSigner['duty']
  balance: bigint
  /** Relays that the balance pays for at today's gas price. */
  runway: number
  paused: boolean
  /** True once too few transactions are left; see `broadcast.minRunway`. */
  isLow: boolean
  pendingTransactions: number
}

/** The fees of a transaction that is signed now, and the funds of its signer. */
export interface SigningTerms {
  /** By the rule and the head of the next signature. */
  fees: Fees
  /** Wei, at the last read. */
  balance: bigint
  /** Most wei that its unmined transactions may cost. */
  reserved: bigint
}

/**
 * Sends transactions exactly once, through crashes, reorgs, stuck fees and several instances of the service.
 * The row is committed before the broadcast; every replacement's hash is watched until one of them is final.
 */
export interface BroadcastEngine {
  /**
   * Registers the handler that books the outcomes of a kind, and the duty of its signers. Call it before
   * {@link BroadcastEngine.start}.
   * @param terms `atOnce` defaults to 1, `duty` to `sends`.
   */
  onSettled(kind: string, handler: SettlementHandler, terms?: Partial<Omit<Settling, 'run'>>): void
  /** Registers the reviewer of a kind's long-waiting transactions; before {@link BroadcastEngine.start}. */
  onReview(kind: string, reviewer: Reviewer): void
  start(): Promise<void>
  /**
   * Writes the outbox row in the caller's transaction and returns its id. Call {@link BroadcastEngine.wake} after the
   * commit.
   */
  enqueue(connection: DatabaseTransactionConnection, call: OutboundCall): Promise<string>
  /**
   * Writes the outbox row and the caller's own rows, which get its id, in one statement, and sends it at once. With a free
   * signer, that statement also signs it, so it never waits in the queue.
   */
  send(call: OutboundCall, inserting: (outboundId: string) => Beside): Promise<string>
  /** Processes the outbox of a chain now instead of at the next notification. */
  wake(chainId: number): void
  /**
   * Resolves with the first progress after `queued`; rejects with the signal's reason when it is aborted first.
   * @param isNew True if it was enqueued just now, so that its news are still to come.
   */
  waitUntilSent(outboundId: string, signal: AbortSignal, isNew?: boolean): Promise<OutboundProgress>
  /** Publishes every progress of a kind, for live views. `reference` is that of {@link BroadcastEngine.enqueue}. */
  subscribe(
    listener: (event: {
      kind: string
      reference: string
      chainId: number
      progress: OutboundProgress
    }) => void,
  ): () => void
  /** Calls the listener when progress in other instances may have been missed. @returns A function that unsubscribes. */
  onMissed(listener: () => void): () => void
  /**
   * Picks a signer that a simulation may send from ({@link OutboundCall.origin}), in turns to spread the load. Null when no
   * signer of the chain with the duty is fit to send.
   */
  simulationSender(chainId: number, duty: Duty): Address | null
  /**
   * Returns the terms on which a transaction of `signer` would be signed now; null before the chain's first answer, or for a
   * foreign address.
   */
  signingTerms(chainId: number, signer: Address): SigningTerms | null
  /** Counts the transactions of a chain that are not final. */
  pending(chainId: number): Promise<number>
  /** The same, from a count at most a second old and this instance's writes since. */
  underWay(chainId: number): Promise<number>
  signers(): readonly SignerStatus[]
  /** True if a transaction's fee covers the present cost of sending it, within the tolerance. */
  isCovered(chainId: number, call: CoveredCall): boolean
  /** The base fee of a chain's newest block, if it is above the highest price that the service pays; else null. Wei per gas. */
  feeAboveCap(chainId: number): { baseFee: bigint; cap: bigint } | null
  /**
   * Returns how many typical transactions the balances of the duty's signers pay for at the present price, ignoring waiting
   * ones. Null while a balance or the price is unknown, and on chains without signers.
   */
  runway(chainId: number, duty: Duty): number | null
  /** Accepts no new work, finishes the running step and releases its leases. */
  stop(): Promise<void>
}
