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
import { tellEvents, type EventListener } from '../../concurrency/told-events.ts'
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
import { quoteRelay } from './quote-relay.ts'
import { readRelayTerms } from './read-relay-terms.ts'
import { createRelayGas } from './relay-gas.ts'
import { createRelay } from './relay-withdrawal.ts'
import type { RelayerChains } from './relayer-chain.ts'
import { createRevertMemory, type NameRecipient } from './revert-memory.ts'
import { createRequestBoard } from './request-progress.ts'
import { createRelayReviewer } from './review-relay.ts'
import { settleRelays } from './settle-relays.ts'
import { summarizeWithdrawals } from './summarize.ts'
import type { Withdrawals, RequestProgress } from './withdrawals.ts'
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

/** Creates the public relayer. It registers its settlement with the broadcast engine: create it before the engine starts. */
export function createWithdrawals(
  parts: WithdrawalsParts,
): Withdrawals & { start(): Promise<void>; stop(): Promise<void> } {
  const { database, sharedState, proving, broadcast, served, chains, gasBudget, nameRecipient } = parts
  const { config, logger, lostRecipients } = parts
  const relayGas = createRelayGas()
  const { blameRecipientAfter } = config
  const reverts = createRevertMemory({ database, nameRecipient, blameRecipientAfter, logger })
  const progress = createRequestBoard(sharedState)
  const places = createSubscriptionLimit()
  const followers = createRequestFollowers(database, progress)
  const refusals = new Map<string, number>()
  const awaited = new Set<string>()
  const relay = createRelay({
    pool: database,
    chains,
    proving,
    broadcast,
    relayGas,
    gasBudget,
    lostRecipients,
    reverts,
    config,
    progress,
    logger,
    awaited,
    onRefused: ({ code }) => refusals.set(code, (refusals.get(code) ?? 0) + 1),
  })

  const settle: SettlementHandler = async (connection, settled) => {
    const chainId = settled[0]?.outbound.chainId ?? 0
    const entrypoint = chains.get(chainId)?.chain.config.relayer.entrypoint
    if (!entrypoint) throw new Error(`chain ${chainId} is no longer configured`)
    await settleRelays(connection, settled, { entrypoint, nameRecipient })
  }
  broadcast.onSettled(RELAY_KIND, settle, { atOnce: SETTLED_AT_ONCE, duty: 'relays' })
  broadcast.onReview(RELAY_KIND, createRelayReviewer({ chains, proving, broadcast, config }))

  const tellPresent = gatherCalls(async (requestIds: readonly string[]) => {
    for (const row of await listRelayRequests(database, requestIds))
      progress.tellHere(progressOfRow(row), row.nullifierHash)
  })

  // Learns the gas of relays from receipts only, once per note, whichever instance settled it.
  async function learnGas(): Promise<void> {
    for (const { chainId, pool, gasUsed } of await listRelayGas(database, GAS_SAMPLES))
      relayGas.learn({ chainId, address: pool as Address }, gasUsed)
  }

  let learning: NodeJS.Timeout | undefined
  function learnSoon(): void {
    learning ??= setTimeout(() => {
      learning = undefined
      learnGas().catch((error: unknown) => logger.warn({ err: error }, 'the gas of relays could not be read'))
    }, LEARN_AFTER_MS).unref()
  }

  broadcast.subscribe(({ kind, reference, chainId, progress: outbound }) => {
    if (kind === RELAY_KIND && outbound.status === 'reverted') reverts.note(chainId)
    if (kind === RELAY_KIND && outbound.status === 'confirmed') learnSoon()
    // While the client waits for its answer, the answer reports the first send.
    if (kind !== RELAY_KIND || (outbound.status === 'sent' && awaited.has(reference))) return
    // The engine notifies each instance, which notifies its own followers; a later follower reads the row.
    if (!progress.isFollowedHere()) return
    tellPresent(reference).catch((error: unknown) =>
      logger.error({ err: error, requestId: reference }, 'progress not told'),
    )
  })

  broadcast.onMissed(followers.lookAgain)

  return {
    async start() {
      // For every pool in the ledger, whether or not its chain answers yet.
      await Promise.all([learnGas(), reverts.start()])
    },
    stop() {
      clearTimeout(learning)
      return reverts.stop()
    },
    async details({ chainId, asset }) {
      const { relayerChain, pool } = findPool(chains, chainId, asset)
      return {
        chainId,
        assetAddress: pool.asset.asset,
        feeBps: BigInt(pool.asset.baseFeeBPS),
        feeReceiverAddress: relayerChain.feeReceiver,
        minWithdrawAmount: pool.asset.minWithdrawAmount,
        maxGasPrice: relayerChain.chain.config.relayer.maxGasPrice,
      }
    },
    async quote(input) {
      try {
        return await quoteRelay({ chains, proving, broadcast, relayGas, lostRecipients, config }, input)
      } catch (error) {
        const isBusy = error instanceof ProvingBusyError || error instanceof ThreadLostError
        if (!isBusy && !(error instanceof TaskError && error.code === 'unavailable')) throw error
        if (!isBusy) logger.warn({ err: error, chainId: input.chainId }, 'no fee commitment was signed')
        throw serverBusy('All signers are busy; try again in a moment', { cause: error })
      }
    },
    terms: (input) => readRelayTerms({ chains, broadcast, relayGas, config }, input),
    request: relay,
    status: (requestId) => readRequestProgress(database, progress, { requestId }),
    subscribe: (key, { clientAddress, signal }) =>
      tellEvents((listener) =>
        followInPlace({ places, followers }, { key, clientAddress, signal }, listener),
      ),
    overview: () =>
      summarizeWithdrawals({ database, served, chains, broadcast, proving, gasBudget, refusals }),
  }
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
