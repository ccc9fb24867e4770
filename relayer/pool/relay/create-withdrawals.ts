import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { Address } from 'viem'
import type { SharedState } from '../../../db/shared-state/shared-state.ts'
import { listRelayRequests } from '../../../db/pool/relay/relay-requests.ts'
import { listRelayGas } from '../../../db/pool/relay/relay-ledger.ts'
import { ProvingBusyError, ThreadLostError, type ProvingPool } from '../../../proving/proving-pool.ts'
import { TaskError } from '../../../proving/task-result.ts'
import type { BroadcastEngine, SettlementHandler } from '../../chain/broadcast/broadcast-engine.ts'
import type { Chains } from '../../chain/nodes/chain.ts'
import type { GasBudget } from '../../chain/unpaid-gas/gas-budget.ts'
import { gatherCalls } from '../../concurrency/gather-calls.ts'
import { iterateEvents, type EventListener } from '../../concurrency/iterate-events.ts'
import type { LostRecipients } from '../recipients/lost-recipients.ts'
import { RELAY_KIND } from './accept-relay.ts'
import type { WithdrawalsConfig } from './config.ts'
import { findPool } from './find-pool.ts'
import {
  createSubscriptionLimit,
  type SubscriptionLimit,
  type SubscriptionSlot,
} from './subscription-limit.ts'
import {
  createRequestFollowers,
  progressOfRow,
  readRequestProgress,
  type RequestFollowers,
  type RequestKey,
} from './follow-request.ts'
import { RelayFees } from './quote-relay.ts'
import { createRelayGas } from './relay-gas.ts'
import { createRelay } from './relay-withdrawal.ts'
import type { RelayerChains } from './relayer-chain.ts'
import { createRevertMemory, type NameRecipient, type RevertMemory } from './revert-memory.ts'
import { createRequestBoard, type RequestBoard } from './request-progress.ts'
import { createRelayReviewer } from './review-relay.ts'
import { settleRelays } from './settle-relays.ts'
import { createSummary } from './summarize.ts'
import type {
  Asker,
  RelayAnswer,
  RelayerDetails,
  RelayerQuote,
  RelayQuoteRequest,
  RelayRequest,
  RelayTerms,
  RequestProgress,
  Withdrawals,
  WithdrawalsOverview,
} from './withdrawals.ts'
import { serverBusy } from '../../errors.ts'

/** Relays of a pool whose gas is read from the ledger at start. */
const GAS_SAMPLES = 32
/** As many as a database transaction books in about ten milliseconds. */
const SETTLED_AT_ONCE = 64
/** Milliseconds to wait for further relays, because one block confirms many. */
const LEARN_AFTER_MS = 1_000

/** Dependencies of the public relayer. The proving pool and the broadcast engine belong to the caller. */
export interface WithdrawalsParts {
  database: DatabasePool
  sharedState: SharedState
  proving: ProvingPool
  broadcast: BroadcastEngine
  /** Every supported chain, for the overview. */
  served: Chains
  /** The chains with relays. */
  chains: RelayerChains
  gasBudget: GasBudget
  lostRecipients: LostRecipients
  nameRecipient: NameRecipient
  config: WithdrawalsConfig
  logger: Logger
}

/** Progress of a transaction, as the broadcast engine publishes it. */
type Progressed = Parameters<Parameters<BroadcastEngine['subscribe']>[0]>[0]

class PublicRelayer implements Withdrawals {
  readonly #parts: WithdrawalsParts
  readonly #relayGas = createRelayGas()
  readonly #fees: RelayFees
  readonly #reverts: RevertMemory
  readonly #progress: RequestBoard
  readonly #places = createSubscriptionLimit()
  readonly #followers: RequestFollowers
  readonly #refusals = new Map<string, number>()
  readonly #summary: ReturnType<typeof createSummary>
  /** Requests whose answers still wait for the hash. */
  readonly #awaited = new Set<string>()
  readonly #relay: ReturnType<typeof createRelay>
  readonly #tellPresent: (requestId: string) => Promise<void>
  #learning: NodeJS.Timeout | undefined

  constructor(parts: WithdrawalsParts) {
    const { database, nameRecipient, sharedState, logger } = parts
    const { blameRecipientAfter } = parts.config
    this.#parts = parts
    this.#fees = new RelayFees({ ...parts, relayGas: this.#relayGas })
    this.#summary = createSummary({ ...parts, refusals: this.#refusals })
    this.#reverts = createRevertMemory(database, nameRecipient, blameRecipientAfter, logger)
    this.#progress = createRequestBoard(sharedState)
    this.#followers = createRequestFollowers(database, this.#progress)
    this.#relay = createRelay({
      ...parts,
      pool: database,
      relayGas: this.#relayGas,
      reverts: this.#reverts,
      progress: this.#progress,
      awaited: this.#awaited,
      onRefused: ({ code }) => this.#refusals.set(code, (this.#refusals.get(code) ?? 0) + 1),
    })
    this.#tellPresent = gatherCalls(async (requestIds) => {
      for (const row of await listRelayRequests(database, requestIds))
        this.#progress.tellHere(progressOfRow(row), row.nullifierHash)
    })
  }

  /** Registers settlement, review and listeners with the broadcast engine. */
  register(): void {
    const { chains, proving, broadcast, config } = this.#parts
    broadcast.onSettled(RELAY_KIND, (connection, settled) => this.#settle(connection, settled), {
      atOnce: SETTLED_AT_ONCE,
      duty: 'relays',
    })
    broadcast.onReview(RELAY_KIND, createRelayReviewer(chains, proving, broadcast, config))
    broadcast.subscribe((event) => this.#hear(event))
    broadcast.onMissed(() => this.#followers.lookAgain())
  }

  async #settle(...[connection, settled]: Parameters<SettlementHandler>): Promise<void> {
    const { chains, nameRecipient } = this.#parts
    const chainId = settled[0]?.outbound.chainId ?? 0
    const entrypoint = chains.get(chainId)?.chain.config.relayer.entrypoint
    if (!entrypoint) throw new Error(`chain ${chainId} is no longer configured`)
    await settleRelays(connection, settled, { entrypoint, nameRecipient })
  }

  #hear({ kind, reference, chainId, progress: outbound }: Progressed): void {
    if (kind === RELAY_KIND && outbound.status === 'reverted') this.#reverts.note(chainId)
    if (kind === RELAY_KIND && outbound.status === 'confirmed') this.#learnSoon()
    // While the client waits for its answer, the answer reports the first send.
    if (kind !== RELAY_KIND || (outbound.status === 'sent' && this.#awaited.has(reference))) return
    // The engine notifies each instance, which notifies its own followers; a later follower reads the row.
    if (!this.#progress.isFollowedHere()) return
    this.#tellPresent(reference).catch((error: unknown) =>
      this.#parts.logger.error({ err: error, requestId: reference }, 'progress not told'),
    )
  }

  /** Learns the gas of relays from receipts only, once per note, whichever instance settled it. */
  async #learnGas(): Promise<void> {
    for (const { chainId, pool, gasUsed } of await listRelayGas(this.#parts.database, GAS_SAMPLES))
      this.#relayGas.learn({ chainId, address: pool as Address }, gasUsed)
  }

  #learnSoon(): void {
    this.#learning ??= setTimeout(() => {
      this.#learning = undefined
      this.#learnGas().catch((error: unknown) =>
        this.#parts.logger.warn({ err: error }, 'the gas of relays could not be read'),
      )
    }, LEARN_AFTER_MS).unref()
  }

  async start(): Promise<void> {
    // For every pool in the ledger, whether or not its chain answers yet.
    await Promise.all([this.#learnGas(), this.#reverts.start()])
  }

  stop(): Promise<void> {
    clearTimeout(this.#learning)
    return this.#reverts.stop()
  }

  async details({ chainId, asset }: { chainId: number; asset: Address }): Promise<RelayerDetails> {
    const { relayerChain, pool } = findPool(this.#parts.chains, chainId, asset)
    return {
      chainId,
      assetAddress: pool.asset.asset,
      feeBps: BigInt(pool.asset.baseFeeBPS),
      feeReceiverAddress: relayerChain.feeReceiver,
      minWithdrawAmount: pool.asset.minWithdrawAmount,
      maxGasPrice: relayerChain.chain.config.relayer.maxGasPrice,
    }
  }

  async quote(input: RelayQuoteRequest): Promise<RelayerQuote> {
    try {
      return await this.#fees.quote(input)
    } catch (error) {
      const isBusy = error instanceof ProvingBusyError || error instanceof ThreadLostError
      if (!isBusy && !(error instanceof TaskError && error.code === 'unavailable')) throw error
      if (!isBusy)
        this.#parts.logger.warn({ err: error, chainId: input.chainId }, 'no fee commitment was signed')
      throw serverBusy('All signers are busy; try again in a moment', { cause: error })
    }
  }

  terms(input: { chainId: number; asset: Address }): Promise<RelayTerms> {
    return this.#fees.readTerms(input)
  }

  request(input: RelayRequest, from: Asker): Promise<RelayAnswer> {
    return this.#relay(input, from)
  }

  status(requestId: string): Promise<RequestProgress | null> {
    return readRequestProgress(this.#parts.database, this.#progress, { requestId })
  }

  subscribe(key: RequestKey, { clientAddress, signal }: Asker): AsyncIterable<RequestProgress> {
    const rooms = { places: this.#places, followers: this.#followers }
    return iterateEvents(
      (listener) => followInPlace(rooms, { key, clientAddress, signal }, listener),
      () => serverBusy('Steps came faster than they were read; subscribe again'),
    )
  }

  overview(): Promise<WithdrawalsOverview> {
    return this.#summary()
  }
}

/** Creates the public relayer. It registers its settlement with the broadcast engine: create it before the engine starts. */
export function createWithdrawals(
  parts: WithdrawalsParts,
): Withdrawals & { start(): Promise<void>; stop(): Promise<void> } {
  const relayer = new PublicRelayer(parts)
  relayer.register()
  return relayer
}

interface Rooms {
  places: SubscriptionLimit
  followers: RequestFollowers
}

/** Follows a request in one of the limited places; without a free one it ends at once with that error. */
export function followInPlace(
  rooms: Rooms,
  { key, clientAddress, signal }: { key: RequestKey; clientAddress: string; signal: AbortSignal },
  listener: EventListener<RequestProgress>,
): void {
  const place = new Place(rooms.places, clientAddress, listener)
  try {
    rooms.places.take(place)
  } catch (error) {
    listener.end(error)
    return
  }
  place.leave = rooms.followers.follow(key, signal, place)
}

/** A follower in a place. One object each, because there may be a thousand. */
class Place implements SubscriptionSlot, EventListener<RequestProgress> {
  readonly client: string
  readonly #places: SubscriptionLimit
  readonly #listener: EventListener<RequestProgress>
  leave: () => void = () => {}
  #failure: unknown

  constructor(places: SubscriptionLimit, client: string, listener: EventListener<RequestProgress>) {
    this.client = client
    this.#places = places
    this.#listener = listener
  }

  onLost(): void {
    this.#failure = serverBusy('Another client needs this place; follow the request again in a moment')
    this.leave()
  }

  next(progress: RequestProgress): void {
    this.#listener.next(progress)
  }

  end(error?: unknown): void {
    this.#places.leave(this)
    this.#listener.end(error ?? this.#failure)
  }
}
