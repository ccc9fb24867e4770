import type { Address, Hash, Hex } from 'viem'
import type { FieldElement } from '../../../proving/field-element.ts'
import type { Groth16Proof } from '../../../proving/proving-pool.ts'
import type { SignerStatus } from '../../chain/broadcast/broadcast-engine.ts'
import type { Capability } from '../../chain/nodes/capabilities.ts'
import type { NodeStatus } from '../../chain/nodes/node-ring.ts'
import type { UnpaidGas } from '../../chain/unpaid-gas/gas-budget.ts'
import type { FeeCommitment } from './relay-fee.ts'

/** The relayer's terms for one asset. */
export interface RelayerDetails {
  chainId: number
  assetAddress: Address
  /** The asset's base fee in basis points; a quote adds the gas. */
  feeBps: bigint
  feeReceiverAddress: Address
  /** Smallest unit. */
  minWithdrawAmount: bigint
  /** Wei per gas. */
  maxGasPrice: bigint
}

/** A client's request for the fee of a withdrawal. */
export interface RelayQuoteRequest {
  chainId: number
  /** Amount to be withdrawn, smallest unit. */
  amount: bigint
  asset: Address
  recipient: Address
  extraGas: boolean
}

/** `eth` is exactly gas · gasPrice, in wei. */
export interface GasCost {
  gas: bigint
  eth: bigint
}

/** The fee of a withdrawal and its components; fees in basis points, gas prices in wei per gas. */
export interface RelayerQuote {
  baseFeeBps: bigint
  feeBps: bigint
  gasPrice: bigint
  feeCommitment: FeeCommitment
  detail: { relayTxCost: GasCost; extraGasFundAmount?: GasCost; extraGasTxCost?: GasCost }
}

/** The present terms of relaying, for planning withdrawals. Amounts in the smallest unit, fees in basis points. */
export interface RelayTerms {
  baseFeeBps: bigint
  /** The pool's maximum fee. */
  maxFeeBps: bigint
  /** The smallest amount that can be withdrawn; null if no amount is large enough for its fee. */
  leastAmount: bigint | null
  /** Returns the fee of a withdrawal of that amount; it never rises with the amount. */
  feeBps(amount: bigint): bigint
}

/** A withdrawal to be relayed, as the client sent it. */
export interface RelayRequest {
  withdrawal: { processooor: Address; data: Hex }
  proof: Groth16Proof
  /**
   * [newCommitmentHash, existingNullifierHash, withdrawnValue, stateRoot, stateTreeDepth, ASPRoot, ASPTreeDepth,
   * context]. Not yet checked to be canonical.
   */
  publicSignals: readonly string[]
  scope: string
  chainId: number
  feeCommitment: FeeCommitment
}

/** The result of a relay request. A refusal is an answer with `success` false, not an error. */
export interface RelayAnswer {
  success: boolean
  /** Milliseconds since the epoch. */
  timestamp: number
  requestId: string
  txHash?: Hash
  /** `<CODE>: <message>` if refused. */
  error?: string
}

/** The progress of a request. */
export type RequestStatus = 'received' | 'verified' | 'simulated' | 'broadcast' | 'confirmed' | 'failed'

/** One step of a request, as it is published to its followers. */
export interface RequestProgress {
  requestId: string
  chainId: number
  status: RequestStatus
  txHash: Hash | null
  /** `<CODE>: <message>` once failed. */
  error: string | null
  /** Milliseconds since the epoch. */
  updatedAt: number
}

/** Figures for the front page and the metrics; they identify no client. */
export interface WithdrawalsOverview {
  chains: {
    chainId: number
    name: string
    /** The service's capabilities on the chain. Without `relay`, the members from `gasPrice` on are empty. */
    capabilities: readonly Capability[]
    nativeSymbol: string
    head: bigint | null
    /** Milliseconds since the head was made, by its own timestamp; null before the first. */
    headAgeMs: number | null
    /** Milliseconds since it was read. */
    headReadAgeMs: number | null
    /** Its nodes, named by their hosts. */
    nodes: readonly NodeStatus[]
    /** Wei per gas of the newest block; null before the first. */
    baseFee: bigint | null
    /** Highest price in wei per gas that the service pays; null without a relayer. */
    maxGasPrice: bigint | null
    /** Wei per gas in present quotes; null while unknown, and without a relayer. */
    gasPrice: bigint | null
    pools: { asset: Address; symbol: string; decimals: number; pool: Address; ready: boolean }[]
    /** Gas that recipients recently made the service lose; null without a relayer. */
    unpaidGas: UnpaidGas | null
    pendingTransactions: number
    signers: SignerStatus[]
  }[]
  /** Requests by status since the database was created. */
  requests: { broadcast: number; confirmed: number; failed: number }
  /** Refusals by code since start. */
  refusals: Readonly<Record<string, number>>
  proving: { workers: number; queued: number; running: number; verified: number; batches: number }
  /** Proofs of the sample that snarkjs verified as well, by how it ended. */
  crossChecks: Record<'agreed' | 'disagreed' | 'failed', number>
  /** Sums of the ledger: fees received in smallest units of each asset, wei of native coin spent on gas and on top-ups. */
  ledger: {
    chainId: number
    symbol: string
    decimals: number
    asset: Address
    relays: number
    withdrawn: bigint
    feeReceived: bigint
    gasSpent: bigint
    topUpSpent: bigint
  }[]
  lastRelays: {
    requestId: string
    chainId: number
    symbol: string
    decimals: number
    withdrawn: bigint
    txHash: Hash | null
    status: RequestStatus
    updatedAt: number
  }[]
}

/** The requesting client: its network, and a signal that is aborted when it disconnects. */
export interface Asker {
  clientAddress: string
  signal: AbortSignal
}

/**
 * The public relayer of privacy-pool withdrawals. Refusals of {@link request} are answers; every other failure is a
 * ServiceError.
 */
export interface Withdrawals {
  details(input: { chainId: number; asset: Address }): Promise<RelayerDetails>
  quote(input: RelayQuoteRequest): Promise<RelayerQuote>
  /** Returns the present quote terms without a commitment. @throws ServiceError as `quote` does, except for its amount. */
  terms(input: { chainId: number; asset: Address }): Promise<RelayTerms>
  request(input: RelayRequest, from: Asker): Promise<RelayAnswer>
  /** Returns a request's progress; null if it is unknown or expired. */
  status(requestId: string): Promise<RequestProgress | null>
  /**
   * Yields the present state, if any, then all progress. Ends after `confirmed` or `failed`, after ten minutes
   * without news, or if another client needs the place. Throws ServiceError `not-found` for an unknown requestId, and
   * if there are too many followers.
   */
  subscribe(
    of: { requestId: string } | { nullifierHash: FieldElement },
    by: Asker,
  ): AsyncIterable<RequestProgress>
  overview(): Promise<WithdrawalsOverview>
}
