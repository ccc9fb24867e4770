import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { DatabasePool, DatabaseTransactionConnection } from 'slonik'
import type { Address } from 'viem'
import { listenOutbound, notifyOutbound } from '../../../db/chain/broadcast/outbound-rows.ts'
import type { ChannelListener } from '../../../db/listen-channel.ts'
import { countUnfinished, insertQueued, type Beside } from '../../../db/chain/broadcast/outbound-queue.ts'
import { forgetSettled } from '../../../db/chain/broadcast/outbound-settle.ts'
import { addSigners, releaseLeases } from '../../../db/chain/broadcast/signer-leases.ts'
import type { RelayingChains } from '../nodes/chain.ts'
import { hasDuty, type Duty } from '../nodes/relayer-config.ts'
import type {
  BroadcastEngine,
  OutboundCall,
  OutboundProgress,
  Reviewer,
  SettlementHandler,
  Settling,
  SignerStatus,
  SigningTerms,
} from './broadcast-engine.ts'
import type { BroadcastConfig } from './config.ts'
import { keepLeases, listKeys } from './signers.ts'
import { describeSigner, findSigningTerms, noteUnderWay, sumRunways } from './look-at-signers.ts'
import { publishOutboundStep } from './observe-outbound.ts'
import { openOutbox, type OpenOutbox } from './open-outbox.ts'
import type { Outbox } from './outbox.ts'
import { isCovered, type CoveredCall } from './cover.ts'
import { decodeOutboxMessage, encodeOutboxMessage } from './outbox-message.ts'
import {
  createProgressBoard,
  type ProgressBoard,
  createSentWaiters,
  type SentWaiters,
} from './progress-board.ts'
import { coalesceRuns, singleFlight, serializeByKey } from '../../concurrency/coalesce-runs.ts'
import { startClock } from '../../concurrency/even-times.ts'
import { writeNew } from './sign-new.ts'

/** Milliseconds between two looks at what no head or notification brings up. */
const LOOK_EVERY_MS = 5_000
/** Longest age of a count of pending transactions: less than a block. */
const UNDER_WAY_KEPT_MS = 1_000

/** Dependencies of the engine. The chains and the pool belong to the caller. */
export interface BroadcastEngineOptions {
  chains: RelayingChains
  pool: DatabasePool
  /** For the connection that hears the notifications of other instances. */
  databaseUrl: string
  logger: Logger
  config: BroadcastConfig
  /** Milliseconds; the system's clock unless given. */
  clock?: () => number
}

/**
 * Builds the broadcast engine: one outbox per chain, one keeper of leases, one listener for other instances.
 *
 * @example
 * ```ts
 * const config = broadcastConfig.parse({})
 * const engine = createBroadcastEngine({ chains, pool, databaseUrl, logger, config })
 * engine.onSettled('payout', async (_transaction, settled) => {
 *   for (const { outbound, settlement } of settled) booked.push(`${outbound.reference} ${settlement.status}`)
 * })
 * await engine.start()
 * const outboundId = await pool.transaction((transaction) => engine.enqueue(transaction, call))
 * engine.wake(call.chainId)
 * const { status } = await engine.waitUntilSent(outboundId, AbortSignal.timeout(60_000))
 * await engine.stop()
 * ```
 */
export function createBroadcastEngine(options: BroadcastEngineOptions): BroadcastEngine {
  return new OutboxEngine(options)
}

class OutboxEngine implements BroadcastEngine {
  readonly #pool: DatabasePool
  readonly #databaseUrl: string
  readonly #config: BroadcastConfig
  readonly #clock: () => number
  readonly #logger: Logger
  /** This instance, as leases and messages name it. */
  readonly #owner = randomUUID()
  readonly #handlers = new Map<string, Settling>()
  readonly #reviewers = new Map<string, Reviewer>()
  readonly #board: ProgressBoard
  readonly #waiters: SentWaiters
  readonly #opened: ReadonlyMap<number, OpenOutbox>
  /**
   * New transactions of a chain queue here for the lock on its gas, because waiting in the database would hold connections.
   */
  readonly #inTurn = serializeByKey()
  readonly #leave: (() => void)[] = []
  readonly #missed = new Set<() => void>()
  readonly #renew = coalesceRuns(
    () => this.#renewOnce(),
    (error) => this.#logger.error({ err: error }, 'the leases of the signers could not be renewed'),
  )
  readonly #countAll = singleFlight((chainId: number) => this.#countOnce(chainId))
  #listener: ChannelListener | null = null
  #timer: NodeJS.Timeout | undefined
  #housekeeping: Promise<void> = Promise.resolve()
  #stopped = false
  #turns = 0

  constructor({ chains, pool, databaseUrl, config, clock = Date.now, logger }: BroadcastEngineOptions) {
    this.#pool = pool
    this.#databaseUrl = databaseUrl
    this.#config = config
    this.#clock = clock
    this.#logger = logger.child({ instance: this.#owner })
    this.#board = createProgressBoard(this.#logger)
    this.#waiters = createSentWaiters(pool, this.#board)
    const parts = {
      pool,
      logger: this.#logger,
      config,
      owner: this.#owner,
      handlers: this.#handlers,
      reviewers: this.#reviewers,
      board: this.#board,
      now: clock,
    }
    this.#opened = new Map([...chains].map(([chainId, chain]) => [chainId, openOutbox(chain, parts)]))
  }

  onSettled(kind: string, run: SettlementHandler, terms: Partial<Omit<Settling, 'run'>> = {}): void {
    const { atOnce = 1, duty = 'sends' } = terms
    if (this.#handlers.has(kind))
      throw new Error(`two handlers for outgoing transactions of the kind ${kind}`)
    this.#handlers.set(kind, { run, atOnce, duty })
  }

  onReview(kind: string, reviewer: Reviewer): void {
    if (this.#reviewers.has(kind))
      throw new Error(`two reviewers of outgoing transactions of the kind ${kind}`)
    this.#reviewers.set(kind, reviewer)
  }

  async start(): Promise<void> {
    this.#listener = await listenOutbound(this.#databaseUrl, {
      message: (text) => this.#hear(text),
      open: () => {
        this.#waiters.recheck()
        for (const tell of this.#missed) tell()
        for (const chainId of this.#opened.keys()) this.wake(chainId)
      },
      lost: (reason) =>
        this.#logger.warn({ reason }, 'the connection for notifications is lost; it is opened again'),
    })
    for (const { outbox, watch } of this.#opened.values())
      this.#leave.push(outbox.chain.onHead(() => void watch()))
    await addSigners(this.#pool, this.#outboxes().flatMap(listKeys))
    await this.#renew()
    // Apart from all other work: a node that hangs must not cost the leases.
    this.#leave.push(startClock(this.#config.leaseMs / 3, () => void this.#renew()))
    this.#housekeeping = this.#keepHouse()
    await this.#housekeeping
    // The others release its share now.
    await this.#publishLeases()
    if (!this.#stopped) this.#keepHouseLater()
  }

  async enqueue(
    connection: DatabaseTransactionConnection,
    { origin, serves, ...call }: OutboundCall,
  ): Promise<string> {
    const id = randomUUID()
    this.#noteOrigin(call.chainId, id, origin)
    await insertQueued(connection, { id, ...call }, this.#queuedMessage(call))
    publishQueued(id, call, serves)
    this.#countOneMore(call.chainId)
    return id
  }

  async send(
    { origin, serves, ...call }: OutboundCall,
    inserting: (outboundId: string) => Beside,
  ): Promise<string> {
    const { chainId } = call
    const opened = this.#opened.get(chainId)
    if (!opened) throw new Error(`nothing can be sent on chain ${chainId}`)
    const id = randomUUID()
    this.#noteOrigin(chainId, id, origin)
    const written = { message: this.#queuedMessage(call), beside: inserting(id) }
    const assigned = await this.#inTurn(String(chainId), () =>
      writeNew(opened.outbox, { id, ...call }, origin, written),
    )
    publishQueued(id, call, serves)
    this.#countOneMore(chainId)
    if (!assigned) void opened.dispatch(this.#dutyOf(call.kind))
    else {
      opened.outbox.simulatedOrigins.forget(id)
      opened.offer(assigned)
    }
    return id
  }

  wake(chainId: number): void {
    void this.#opened.get(chainId)?.dispatch()
  }

  waitUntilSent(outboundId: string, signal: AbortSignal, isNew?: boolean): Promise<OutboundProgress> {
    return this.#waiters.waitUntilSent(outboundId, signal, isNew)
  }

  subscribe(listener: Parameters<BroadcastEngine['subscribe']>[0]): () => void {
    return this.#board.listen(({ kind, reference, chainId, progress }) =>
      listener({ kind, reference, chainId, progress }),
    )
  }

  onMissed(listener: () => void): () => void {
    this.#missed.add(listener)
    return () => void this.#missed.delete(listener)
  }

  simulationSender(chainId: number, duty: Duty): Address | null {
    const outbox = this.#outboxOf(chainId)
    if (!outbox) return null
    // Prefers signers leased here, then the least busy, then the least recently chosen.
    const [chosen] = [...outbox.signers]
      .filter(([address, signer]) => hasDuty(signer, duty) && !describeSigner(outbox, address, signer).paused)
      .toSorted(
        ([, a], [, b]) =>
          Number(b.leased) - Number(a.leased) || a.pending - b.pending || a.lastTurn - b.lastTurn,
      )
    if (!chosen) return null
    const [address, signer] = chosen
    signer.lastTurn = ++this.#turns
    return address
  }

  signingTerms(chainId: number, signer: Address): SigningTerms | null {
    const outbox = this.#outboxOf(chainId)
    return outbox ? findSigningTerms(outbox, signer) : null
  }

  pending(chainId: number): Promise<number> {
    return this.#countAll(chainId)
  }

  async underWay(chainId: number): Promise<number> {
    const known = this.#outboxOf(chainId)?.underWay
    const isFresh = known !== undefined && this.#clock() - known.countedAt < UNDER_WAY_KEPT_MS
    return isFresh ? known.count : await this.#countAll(chainId)
  }

  signers(): readonly SignerStatus[] {
    return this.#outboxes().flatMap((outbox) =>
      [...outbox.signers].map(([address, signer]) => describeSigner(outbox, address, signer)),
    )
  }

  isCovered(chainId: number, call: CoveredCall): boolean {
    const outbox = this.#outboxOf(chainId)
    return !outbox || isCovered(outbox, call)
  }

  runway(chainId: number, duty: Duty): number | null {
    const outbox = this.#outboxOf(chainId)
    return outbox ? sumRunways(outbox, duty) : null
  }

  feeAboveCap(chainId: number): { baseFee: bigint; cap: bigint } | null {
    const chain = this.#outboxOf(chainId)?.chain
    const baseFee = chain?.head()?.baseFeePerGas ?? 0n
    const cap = chain?.config.relayer.maxGasPrice ?? baseFee
    return baseFee > cap ? { baseFee, cap } : null
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    for (const end of this.#leave) end()
    await this.#eachOutbox(({ close }) => close())
    await this.#housekeeping
    clearTimeout(this.#timer)
    await this.#listener?.close()
    await this.#renew()
    await releaseLeases(this.#pool, this.#owner)
    await this.#publishLeases()
  }

  #outboxes(): Outbox[] {
    return [...this.#opened.values()].map(({ outbox }) => outbox)
  }

  #outboxOf(chainId: number): Outbox | undefined {
    return this.#opened.get(chainId)?.outbox
  }

  #eachOutbox(work: (opened: OpenOutbox) => Promise<void>): Promise<unknown> {
    return Promise.all([...this.#opened.values()].map(work))
  }

  #dutyOf(kind: string): Duty {
    return this.#handlers.get(kind)?.duty ?? 'sends'
  }

  /** Others send it at once only where this instance cannot; they find the rest at the next head. */
  #queuedMessage({ chainId, kind }: { chainId: number; kind: string }): string {
    const isInHand = isFitToSend(this.#outboxOf(chainId), this.#dutyOf(kind))
    return encodeOutboxMessage({ what: 'queued', from: this.#owner, chainId, isInHand })
  }

  #publishLeases(): Promise<void> {
    return notifyOutbound(this.#pool, [encodeOutboxMessage({ what: 'leases', from: this.#owner })])
  }

  #noteOrigin(chainId: number, outboundId: string, origin: Address | undefined): void {
    if (origin) this.#outboxOf(chainId)?.simulatedOrigins.note(outboundId, origin)
  }

  #countOneMore(chainId: number): void {
    const outbox = this.#outboxOf(chainId)
    if (outbox) outbox.underWay.count += 1
  }

  async #countOnce(chainId: number): Promise<number> {
    const loads = await countUnfinished(this.#pool, chainId)
    const outbox = this.#outboxOf(chainId)
    return outbox ? noteUnderWay(outbox, loads) : loads.reduce((sum, { count }) => sum + count, 0)
  }

  #hear(text: string): void {
    // Skip our own messages, which are delivered too.
    if (text.includes(this.#owner)) return
    const message = decodeOutboxMessage(text)
    if (!message) return
    if (message.what === 'leases') void this.#renew()
    else if (message.what === 'progress') this.#board.announce(message.event)
    else if (!message.isInHand) this.wake(message.chainId)
  }

  async #renewOnce(): Promise<void> {
    if (this.#stopped) return
    const lease = { owner: this.#owner, leaseMs: this.#config.leaseMs }
    const { gained, hasGivenUp } = await keepLeases(this.#pool, this.#logger, lease, this.#outboxes())
    if (hasGivenUp) await this.#publishLeases()
    // Their unfinished transactions are now this instance's to watch.
    for (const chainId of gained) void this.#opened.get(chainId)?.watch()
  }

  /** Processes the events that no head or notification brings up. */
  async #keepHouse(): Promise<void> {
    await forgetSettled(this.#pool, this.#config.retainMs).catch((error: unknown) =>
      this.#logger.warn({ err: error }, 'what is settled could not be erased'),
    )
    await this.#eachOutbox(({ watch }) => watch())
    await this.#eachOutbox(({ dispatch }) => dispatch())
  }

  #keepHouseLater(): void {
    const { leaseMs, resendAfterMs } = this.#config
    this.#timer = setTimeout(
      () => {
        this.#housekeeping = this.#keepHouse().finally(() => {
          if (!this.#stopped) this.#keepHouseLater()
        })
      },
      Math.min(LOOK_EVERY_MS, leaseMs, resendAfterMs),
    )
  }
}

const publishQueued = (
  outboundId: string,
  { chainId, kind, reference }: Pick<OutboundCall, 'chainId' | 'kind' | 'reference'>,
  serves: readonly string[] = [reference],
): void => publishOutboundStep({ step: 'queued', outboundId, chainId, kind, serves })

/** True if this instance has a signer of the duty there that can pay for a transaction. */
const isFitToSend = (outbox: Outbox | undefined, duty: Duty): boolean =>
  outbox !== undefined &&
  [...outbox.signers].some(
    ([address, signer]) =>
      signer.leased && hasDuty(signer, duty) && !describeSigner(outbox, address, signer).paused,
  )
