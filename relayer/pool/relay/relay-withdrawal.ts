import { randomUUID } from 'node:crypto'
import type { DatabasePool } from 'slonik'
import type { Hash } from 'viem'
import type { Logger } from 'pino'
import { findRequestOfNote, type RelayRequestRow } from '../../../db/pool/relay/relay-requests.ts'
import { ProvingBusyError, ThreadLostError, type ProvingPool } from '../../../proving/proving-pool.ts'
import { parseFieldElement } from '../../../proving/field-element.ts'
import { ServiceError } from '../../service-error.ts'
import { acceptRelay, shareOf } from './accept-relay.ts'
import { checkPoolState, checkRequest, checkTerms, type CheckedRequest } from './check-request.ts'
import { hasCode } from '../../chain/unpaid-gas/has-code.ts'
import type { GasBudget } from '../../chain/unpaid-gas/gas-budget.ts'
import { orPoolsRefreshing } from './node-silence.ts'
import { prepareRelay, type PreparedRelay } from './prepare-relay.ts'
import type { RelayGas } from './relay-gas.ts'
import type { LostRecipients } from '../recipients/lost-recipients.ts'
import type { RelayerChains } from './relayer-chain.ts'
import type { WithdrawalsConfig } from './config.ts'
import type { RevertMemory } from './revert-memory.ts'
import type { RequestBoard } from './request-progress.ts'
import type { Asker, RelayAnswer, RelayRequest, RequestStatus } from './withdrawals.ts'
import { serverBusy } from '../../errors.ts'
import { RefusedError, type Refusal } from './define-refusal.ts'
import {
  alreadyInFlight,
  commitmentRejected,
  explainEnd,
  invalidProof,
  nullifierAlreadySpent,
  transactionFailed,
  feeTooLow,
} from './refusals.ts'
import type { Cover } from '../../../db/chain/broadcast/outbound-rows.ts'
import { bytesOf } from '../../chain/broadcast/sign-attempt.ts'
import type { BroadcastEngine } from '../../chain/broadcast/broadcast-engine.ts'

/** Dependencies for relaying a withdrawal. */
export interface RelayerParts {
  chains: RelayerChains
  proving: ProvingPool
  broadcast: BroadcastEngine
  relayGas: RelayGas
  lostRecipients: LostRecipients
  config: WithdrawalsConfig
  pool: DatabasePool
  gasBudget: GasBudget
  reverts: RevertMemory
  progress: RequestBoard
  logger: Logger
  onRefused(refusal: Refusal): void
  /** Requests that wait here for the hash and publish it in their answer. */
  awaited: Set<string>
}

/** The request that holds a note, which the answer is about: this one, or an earlier equal one. */
interface Holder {
  requestId: string
  outboundId: string
  /** Null until it is confirmed. */
  finalHash: Hash | null
}

type Tell = (status: RequestStatus, txHash?: Hash | null, error?: string | null) => void

/** A request on its way through the steps. */
interface Incoming {
  requestId: string
  request: RelayRequest
  client: string
  signal: AbortSignal
  tell: Tell
}

/**
 * Up to this load, verify and simulate in parallel to cut latency. Above it, and for clients whose proofs failed, the
 * proof comes first, because a simulation is expensive for the node.
 */
const EAGER_AT_ONCE = 2

/** Marks work whose failure may be handled late, or never. */
function settledLater<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => {})
  return work
}

const busy = (what: string) => serverBusy(`${what}; try again in a moment`)

/** Returns the holder of a note for another verified request; throws unless both are the same withdrawal. */
function joinHolder(row: RelayRequestRow, context: bigint): Holder {
  const isConfirmed = row.status === 'confirmed'
  if (row.context !== context) throw isConfirmed ? nullifierAlreadySpent() : alreadyInFlight()
  return {
    requestId: row.id,
    outboundId: row.outboundId,
    finalHash: isConfirmed ? (row.txHash as Hash) : null,
  }
}

const accepted = (requestId: string, txHash: Hash | null): RelayAnswer => ({
  success: true,
  timestamp: Date.now(),
  requestId,
  ...(txHash && { txHash }),
})

const findCode = ({ relayerChain: { chain }, relayData, pool }: CheckedRequest) =>
  orPoolsRefreshing(pool.chainId, hasCode(chain.client, relayData.recipient))

class Relay {
  readonly #parts: RelayerParts
  readonly #recent = createRecentNotes()
  /** Requests that are being checked. */
  #inHand = 0
  /** Requests that wait for their hash. */
  #awaiting = 0

  constructor(parts: RelayerParts) {
    this.#parts = parts
  }

  async relay(request: RelayRequest, { clientAddress, signal }: Asker): Promise<RelayAnswer> {
    if (this.#inHand >= this.#parts.config.maxInHand) throw busy('Too many requests are being checked')
    const requestId = randomUUID()
    const incoming: Incoming = {
      requestId,
      request,
      client: clientAddress,
      signal,
      tell: this.#createTell(requestId, request),
    }
    this.#inHand += 1
    try {
      const holder = await this.#admit(incoming).finally(() => (this.#inHand -= 1))
      return await this.#answer(incoming, holder)
    } catch (error) {
      return await this.#conclude(error, incoming)
    } finally {
      this.#parts.awaited.delete(requestId)
    }
  }

  /** Creates the publisher of a request's progress. Publishing must neither delay a request nor make it fail. */
  #createTell(requestId: string, { chainId, publicSignals }: RelayRequest): Tell {
    const { progress, logger } = this.#parts
    const nullifier = parseFieldElement(publicSignals[1])
    return (status, txHash = null, error = null) => {
      const told = progress.publish(
        { requestId, chainId, status, txHash, error, updatedAt: Date.now() },
        nullifier === null ? null : BigInt(nullifier),
      )
      told.catch((failure: unknown) => logger.warn({ err: failure, requestId }, 'progress not told'))
    }
  }

  async #admit(incoming: Incoming): Promise<Holder> {
    const { chains, proving } = this.#parts
    incoming.tell('received')
    const checked = await checkRequest(chains, proving, incoming.request)
    const joinFrom = async (holder: RelayRequestRow | null) =>
      holder && (await this.#join(holder, incoming, checked))
    const known = this.#recent.has(checked) ? await joinFrom(await this.#readNote(checked)) : null
    if (known) return known
    try {
      return await this.#begin(incoming, checked)
    } catch (error) {
      // An earlier equal request, at any instance, may be the cause; it may be on chain already.
      const earlier = await joinFrom(await this.#readNote(checked).catch(() => null))
      if (!earlier) throw error
      return earlier
    }
  }

  #readNote({ pool, nullifierHash }: CheckedRequest): Promise<RelayRequestRow | null> {
    const note = { chainId: pool.chainId, pool: pool.address, nullifierHash }
    return findRequestOfNote(this.#parts.pool, note)
  }

  /** Joins the request that already holds the note. */
  async #join(existing: RelayRequestRow, incoming: Incoming, { context }: CheckedRequest): Promise<Holder> {
    // A confirmed relay is public on chain, so no proof is needed to learn it.
    if (existing.status !== 'confirmed' || existing.context === context) await this.#verify(incoming)
    return joinHolder(existing, context)
  }

  async #verify({ request: { proof, publicSignals }, client }: Incoming): Promise<void> {
    const circuit = 'withdraw'
    const outcome = await this.#parts.proving.verify({ circuit, proof, publicSignals, client })
    if (!outcome.valid) throw invalidProof(outcome.reason)
  }

  /** Makes the request the holder of its note. */
  async #begin(incoming: Incoming, checked: CheckedRequest): Promise<Holder> {
    const { requestId, request, tell } = incoming
    checkTerms(request, checked)
    const underWay = await this.#demandPlace(checked)
    await this.#parts.reverts.check(checked)
    const { toContract, prepared } = await this.#verifyAndPrepare(incoming, checked, underWay)
    const cover = await demandCovered(this.#parts.broadcast, checked, prepared)
    tell('simulated')
    this.#parts.awaited.add(requestId)
    const outboundId = await acceptRelay(this.#parts, incoming, checked, { ...prepared, toContract, cover })
    this.#recent.add(checked)
    if (outboundId === null) throw alreadyInFlight()
    this.#parts.logger.info({ chainId: request.chainId, requestId, outboundId }, 'a relay is on its way')
    return { requestId, outboundId, finalHash: null }
  }

  /** Returns the number of the chain's pending transactions; throws if there are too many. */
  async #demandPlace(checked: CheckedRequest): Promise<number> {
    const { broadcast, config } = this.#parts
    const { chainId } = checked.pool
    const [underWay] = await Promise.all([broadcast.underWay(chainId), this.#demandReturn(checked)])
    if (underWay >= config.maxPending) throw busy(`Too many transactions are pending on chain ${chainId}`)
    return underWay
  }

  /** Rejects a commitment to a recipient that became known as a contract after the signature. */
  async #demandReturn({ pool: { chainId, asset }, relayData: { recipient } }: CheckedRequest): Promise<void> {
    const lost = await this.#parts.lostRecipients.find(recipient, { chainId, token: asset.asset })
    if (lost) throw commitmentRejected(`${lost.terms.code}: ${lost.example}`)
  }

  /** Verifies the proof, checks pool and gas budget, and simulates the transaction. */
  async #verifyAndPrepare(incoming: Incoming, checked: CheckedRequest, pending: number) {
    const { request, client, tell } = incoming
    const isEager = this.#inHand <= EAGER_AT_ONCE && !this.#parts.proving.failedRecently(client)
    // In one batch with the reads of the pool.
    const findingCode = settledLater(findCode(checked))
    const checking = settledLater(checkPoolState(checked))
    // Requests that are checked in parallel may be mined before it.
    const facts = { toContract: findingCode, underWay: pending + this.#inHand - 1 }
    const prepare = () => settledLater(prepareRelay(this.#parts, request, checked, facts))
    const early = isEager ? { verifying: settledLater(this.#verify(incoming)), preparing: prepare() } : null
    const [toContract] = await Promise.all([findingCode, checking])
    await this.#demandGas(checked, toContract)
    // An invalid proof also fails the simulation; its own error is the better answer.
    await (early?.verifying ?? this.#verify(incoming))
    const preparing = early?.preparing ?? prepare()
    tell('verified')
    return { toContract, prepared: await preparing }
  }

  async #demandGas({ pool }: CheckedRequest, toContract: boolean): Promise<void> {
    const { gasBudget, relayGas } = this.#parts
    await gasBudget.demandRoom({
      chainId: pool.chainId,
      accountId: null,
      network: null,
      share: shareOf({ toContract }),
      gas: relayGas.quoted(pool),
      contracts: [],
    })
  }

  async #answer({ requestId, signal, tell }: Incoming, holder: Holder): Promise<RelayAnswer> {
    const isOwn = holder.requestId === requestId
    if (isOwn) tell('broadcast')
    else await this.#parts.progress.forget(requestId)
    const txHash = await this.#awaitHash(holder, signal, isOwn)
    if (isOwn && txHash) tell('broadcast', txHash)
    return accepted(holder.requestId, txHash)
  }

  /**
   * Waits for the hash under which a node accepted the holder's transaction; null after the time limit, which is no
   * failure.
   */
  async #awaitHash(
    { outboundId, finalHash }: Holder,
    signal: AbortSignal,
    isNew: boolean,
  ): Promise<Hash | null> {
    const { broadcast, config, logger } = this.#parts
    if (finalHash) return finalHash
    if (this.#awaiting >= config.maxAwaiting) return null
    const limit = AbortSignal.any([signal, AbortSignal.timeout(config.sendWaitMs)])
    this.#awaiting += 1
    try {
      const sent = await broadcast.waitUntilSent(outboundId, limit, isNew)
      if (sent.status === 'abandoned') throw explainEnd(sent.reason)
      if (sent.status === 'reverted') throw transactionFailed(`reverted in ${sent.hash}`)
      return sent.hash
    } catch (error) {
      if (error instanceof RefusedError) throw error
      if (!limit.aborted) logger.error({ err: error, outboundId }, 'the hash of a relay is not known')
      return null
    } finally {
      this.#awaiting -= 1
    }
  }

  /** Builds the answer to a failure, and publishes it to followers of the request or the note. */
  async #conclude(error: unknown, { requestId, request, tell }: Incoming): Promise<RelayAnswer> {
    const { onRefused, logger } = this.#parts
    const isBusy = error instanceof ProvingBusyError || error instanceof ThreadLostError
    const cause = isBusy ? busy('All verifiers are busy') : error
    const isMeant = cause instanceof RefusedError || cause instanceof ServiceError
    tell('failed', null, isMeant ? cause.message : 'The service failed; the same request may be sent again')
    if (!(cause instanceof RefusedError)) throw cause
    onRefused(cause.refusal)
    logger.info({ chainId: request.chainId, requestId, code: cause.refusal.code }, 'relay request refused')
    return { success: false, timestamp: Date.now(), requestId, error: cause.message }
  }
}

/** Creates the relay of verified withdrawals; see ARCHITECTURE.md for the order of the steps. */
export function createRelay(
  parts: RelayerParts,
): (request: RelayRequest, from: Asker) => Promise<RelayAnswer> {
  const relay = new Relay(parts)
  return (request, from) => relay.relay(request, from)
}

/** Maximum of remembered notes; the oldest are evicted. */
const KEPT = 10_000

/** Notes that this instance relayed lately. A request of one of them reads the database first. */
interface RecentNotes {
  add(note: Note): void
  has(note: Note): boolean
}

type Note = CheckedRequest

/** Creates the memory. It may forget and starts empty: only the database decides which request holds a note. */
function createRecentNotes(): RecentNotes {
  const notes = new Set<string>()
  const keyOf = ({ pool, nullifierHash }: Note) => `${pool.chainId}:${pool.address}:${nullifierHash}`
  return {
    add(note) {
      notes.add(keyOf(note))
      const [oldest] = notes
      if (notes.size > KEPT && oldest !== undefined) notes.delete(oldest)
    },
    has: (note) => notes.has(keyOf(note)),
  }
}

/**
 * Returns the wei that the fee of a relay covers: all of it, and the basis point that published clients round off.
 * For a large amount, that point may be the whole price of the gas.
 * @throws RefusedError FEE_TOO_LOW if relaying now costs more, beyond the tolerance.
 */
async function demandCovered(
  broadcast: BroadcastEngine,
  { pool, relayerChain, relayData, withdrawn }: CheckedRequest,
  { call, gasUsed }: PreparedRelay,
): Promise<Cover> {
  const price = await orPoolsRefreshing(pool.chainId, relayerChain.priceOf(pool.asset))
  const covered = price.toWei((withdrawn * (relayData.relayFeeBps + 1n)) / 10_000n)
  const cover = { covered, likelyGas: gasUsed }
  if (!broadcast.isCovered(pool.chainId, { ...cover, value: call.value, bytes: bytesOf(call) }))
    throw feeTooLow('gas costs more by now than the fee covers: ask for a new quote')
  return cover
}
