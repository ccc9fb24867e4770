import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { Address } from 'viem'
import { listenOutbound, notifyOutbound } from '../../../db/chain/broadcast/outbound-channel.ts'
import type { ChannelListener } from '../../../db/listen-channel.ts'
import { countUnfinished, insertQueued } from '../../../db/chain/broadcast/outbound-queue.ts'
import { forgetSettled } from '../../../db/chain/broadcast/outbound-settle.ts'
import { addSigners, releaseLeases } from '../../../db/chain/broadcast/signer-leases.ts'
import type { RelayingChains } from '../nodes/chain.ts'
import { hasDuty, type Duty } from '../nodes/list-signers.ts'
import type { BroadcastEngine, Reviewer, Settling } from './broadcast-engine.ts'
import type { BroadcastConfig } from './config.ts'
import { keepLeases, listKeys } from './keep-leases.ts'
import { describeSigner, findSigningTerms, noteUnderWay, sumRunways } from './look-at-signers.ts'
import { openOutbox } from './open-outbox.ts'
import type { Outbox } from './outbox.ts'
import { isCovered } from './cover.ts'
import { decodeOutboxMessage, encodeOutboxMessage } from './outbox-message.ts'
import { createProgressBoard } from './progress-board.ts'
import { coalesceRuns } from '../../concurrency/coalesce-runs.ts'
import { serializeByKey } from '../../concurrency/serialize-by-key.ts'
import { singleFlight } from '../../concurrency/single-flight.ts'
import { writeNew } from './sign-new.ts'
import { createSentWaiters } from './wait-until-sent.ts'

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
  const { chains, pool, databaseUrl, config, clock = Date.now } = options
  const owner = randomUUID()
  const logger = options.logger.child({ instance: owner })
  const handlers = new Map<string, Settling>()
  const reviewers = new Map<string, Reviewer>()
  const board = createProgressBoard(logger)
  const waiters = createSentWaiters(pool, board)
  const outboxes = new Map(
    [...chains].map(([chainId, chain]) => [
      chainId,
      openOutbox(chain, { pool, logger, config, owner, handlers, reviewers, board, now: clock }),
    ]),
  )
  /**
   * New transactions of a chain queue here for the lock on its gas, because waiting in the database would hold connections.
   */
  const inTurn = serializeByKey()
  const leave: (() => void)[] = []
  const missed = new Set<() => void>()
  let listener: ChannelListener | null = null
  let timer: NodeJS.Timeout | undefined
  let housekeeping: Promise<void> = Promise.resolve()
  let stopped = false
  let turns = 0

  const eachOutbox = (work: (outbox: ReturnType<typeof openOutbox>) => Promise<void>) =>
    Promise.all([...outboxes.values()].map(work))
  const allOutboxes = [...outboxes.values()].map(({ outbox }) => outbox)
  const dutyOf = (kind: string): Duty => handlers.get(kind)?.duty ?? 'sends'
  /** Others send it at once only where this instance cannot; they find the rest at the next head. */
  const queuedMessage = ({ chainId, kind }: { chainId: number; kind: string }) => {
    const isInHand = isFitToSend(outboxes.get(chainId)?.outbox, dutyOf(kind))
    return encodeOutboxMessage({ what: 'queued', from: owner, chainId, isInHand })
  }
  const tellOfLeases = () => notifyOutbound(pool, [encodeOutboxMessage({ what: 'leases', from: owner })])
  const noteOrigin = (chainId: number, outboundId: string, origin: Address | undefined) =>
    origin && outboxes.get(chainId)?.outbox.simulatedOrigins.note(outboundId, origin)
  const wake = (chainId: number, duty?: Duty) => void outboxes.get(chainId)?.dispatch(duty)
  const countAll = singleFlight(async (chainId: number) => {
    const loads = await countUnfinished(pool, chainId)
    const opened = outboxes.get(chainId)
    return opened ? noteUnderWay(opened.outbox, loads) : loads.reduce((sum, { count }) => sum + count, 0)
  })
  const countOneMore = (chainId: number) => {
    const opened = outboxes.get(chainId)
    if (opened) opened.outbox.underWay.count += 1
  }

  function hear(text: string): void {
    // Skip our own messages, which are delivered too.
    if (text.includes(owner)) return
    const message = decodeOutboxMessage(text)
    if (!message) return
    if (message.what === 'leases') void renew()
    else if (message.what === 'progress') board.announce(message.event)
    else if (!message.isInHand) wake(message.chainId)
  }

  const renew = coalesceRuns(
    async () => {
      if (stopped) return
      const lease = { owner, leaseMs: config.leaseMs }
      const { gained, hasGivenUp } = await keepLeases(pool, logger, lease, allOutboxes)
      if (hasGivenUp) await tellOfLeases()
      // Their unfinished transactions are now this instance's to watch.
      for (const chainId of gained) void outboxes.get(chainId)?.watch()
    },
    (error) => logger.error({ err: error }, 'the leases of the signers could not be renewed'),
  )

  /** Renews the leases, and processes the events that no head or notification brings up. */
  async function keepHouse(): Promise<void> {
    await renew()
    await forgetSettled(pool, config.retainMs).catch((error: unknown) =>
      logger.warn({ err: error }, 'what is settled could not be erased'),
    )
    await eachOutbox(({ watch }) => watch())
    await eachOutbox(({ dispatch }) => dispatch())
  }

  function keepHouseLater(): void {
    timer = setTimeout(
      () => {
        housekeeping = keepHouse().finally(() => {
          if (!stopped) keepHouseLater()
        })
      },
      Math.min(config.leaseMs / 3, config.resendAfterMs),
    )
  }

  return {
    onSettled(kind, run, { atOnce = 1, duty = 'sends' } = {}) {
      if (handlers.has(kind)) throw new Error(`two handlers for outgoing transactions of the kind ${kind}`)
      handlers.set(kind, { run, atOnce, duty })
    },
    onReview(kind, reviewer) {
      if (reviewers.has(kind)) throw new Error(`two reviewers of outgoing transactions of the kind ${kind}`)
      reviewers.set(kind, reviewer)
    },
    async start() {
      listener = await listenOutbound(databaseUrl, {
        message: hear,
        open() {
          waiters.recheck()
          for (const tell of missed) tell()
          for (const chainId of outboxes.keys()) wake(chainId)
        },
        lost: (error) =>
          logger.warn({ err: error }, 'the connection for notifications is lost; it is opened again'),
      })
      for (const { outbox, watch } of outboxes.values()) leave.push(outbox.chain.onHead(() => void watch()))
      await addSigners(pool, allOutboxes.flatMap(listKeys))
      housekeeping = keepHouse()
      await housekeeping
      // The others release its share now.
      await tellOfLeases()
      if (!stopped) keepHouseLater()
    },
    async enqueue(connection, { origin, ...call }) {
      const id = randomUUID()
      noteOrigin(call.chainId, id, origin)
      await insertQueued(connection, { id, ...call }, queuedMessage(call))
      countOneMore(call.chainId)
      return id
    },
    async send({ origin, ...call }, inserting) {
      const { chainId } = call
      const opened = outboxes.get(chainId)
      if (!opened) throw new Error(`nothing can be sent on chain ${chainId}`)
      const id = randomUUID()
      noteOrigin(chainId, id, origin)
      const written = { message: queuedMessage(call), beside: inserting(id) }
      const assigned = await inTurn(String(chainId), () =>
        writeNew(opened.outbox, { id, ...call }, origin, written),
      )
      countOneMore(chainId)
      if (!assigned) wake(chainId, dutyOf(call.kind))
      else {
        opened.outbox.simulatedOrigins.forget(id)
        opened.offer(assigned)
      }
      return id
    },
    wake: (chainId) => wake(chainId),
    waitUntilSent: waiters.waitUntilSent,
    subscribe: (tell) =>
      board.listen(({ kind, reference, chainId, progress }) => tell({ kind, reference, chainId, progress })),
    onMissed(tell) {
      missed.add(tell)
      return () => void missed.delete(tell)
    },
    simulationSender(chainId, duty) {
      const outbox = outboxes.get(chainId)?.outbox
      if (!outbox) return null
      // Prefers signers leased here, then the least busy, then the least recently chosen.
      const [chosen] = [...outbox.signers]
        .filter(
          ([address, signer]) => hasDuty(signer, duty) && !describeSigner(outbox, address, signer).paused,
        )
        .toSorted(
          ([, a], [, b]) =>
            Number(b.leased) - Number(a.leased) || a.pending - b.pending || a.lastTurn - b.lastTurn,
        )
      if (!chosen) return null
      const [address, signer] = chosen
      signer.lastTurn = ++turns
      return address
    },
    signingTerms(chainId, signer) {
      const outbox = outboxes.get(chainId)?.outbox
      return outbox ? findSigningTerms(outbox, signer) : null
    },
    pending: countAll,
    async underWay(chainId) {
      const known = outboxes.get(chainId)?.outbox.underWay
      return known && clock() - known.countedAt < UNDER_WAY_KEPT_MS ? known.count : await countAll(chainId)
    },
    signers: () =>
      [...outboxes.values()].flatMap(({ outbox }) =>
        [...outbox.signers].map(([address, signer]) => describeSigner(outbox, address, signer)),
      ),
    isCovered(chainId, call) {
      const outbox = outboxes.get(chainId)?.outbox
      return !outbox || isCovered(outbox, call)
    },
    runway(chainId, duty) {
      const outbox = outboxes.get(chainId)?.outbox
      return outbox ? sumRunways(outbox, duty) : null
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      for (const end of leave) end()
      await eachOutbox(({ close }) => close())
      await housekeeping
      clearTimeout(timer)
      await listener?.close()
      await renew()
      await releaseLeases(pool, owner)
      await tellOfLeases()
    },
  }
}

/** True if this instance has a signer of the duty there that can pay for a transaction. */
const isFitToSend = (outbox: Outbox | undefined, duty: Duty): boolean =>
  outbox !== undefined &&
  [...outbox.signers].some(
    ([address, signer]) =>
      signer.leased && hasDuty(signer, duty) && !describeSigner(outbox, address, signer).paused,
  )
