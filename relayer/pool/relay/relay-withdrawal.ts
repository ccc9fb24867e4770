import { randomUUID } from 'node:crypto'
import type { DatabasePool } from 'slonik'
import type { Hash } from 'viem'
import type { Logger } from 'pino'
import { findRequestOfNote, type RelayRequestRow } from '../../../db/pool/relay/relay-requests.ts'
import { ProvingBusyError, ThreadLostError } from '../../../proving/proving-pool.ts'
import { parseFieldElement } from '../../../proving/field-element.ts'
import { ServiceError } from '../../service-error.ts'
import { acceptRelay, shareOf } from './accept-relay.ts'
import { createRecentNotes } from './recent-notes.ts'
import { checkPoolState, checkRequest, checkTerms, type CheckedRequest } from './check-request.ts'
import { hasCode } from '../../chain/unpaid-gas/has-code.ts'
import type { GasBudget } from '../../chain/unpaid-gas/gas-budget.ts'
import { orPoolsRefreshing } from './node-silence.ts'
import { demandCovered } from './relay-cover.ts'
import { prepareRelay } from './prepare-relay.ts'
import type { RelayQuoteParts } from './quote-relay.ts'
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
} from './refusals.ts'

/** Dependencies for relaying a withdrawal. */
export interface RelayerParts extends RelayQuoteParts {
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

/** Creates the relay of verified withdrawals; see ARCHITECTURE.md for the order of the steps. */
export function createRelay(
  parts: RelayerParts,
): (request: RelayRequest, from: Asker) => Promise<RelayAnswer> {
  const { pool: database, proving, broadcast, progress, config, chains, logger, awaited } = parts
  const recent = createRecentNotes()
  let inHand = 0
  let awaiting = 0

  const findCode = ({ relayerChain: { chain }, relayData, pool }: CheckedRequest) =>
    orPoolsRefreshing(pool.chainId, hasCode(chain.client, relayData.recipient))

  async function verify(request: RelayRequest, client: string): Promise<void> {
    const { proof, publicSignals } = request
    const outcome = await proving.verify({ circuit: 'withdraw', proof, publicSignals, client })
    if (!outcome.valid) throw invalidProof(outcome.reason)
  }

  /** Rejects a commitment to a recipient that became known as a contract after the signature. */
  async function demandReturn({ pool: { chainId, asset }, relayData: { recipient } }: CheckedRequest) {
    const lost = await parts.lostRecipients.find(recipient, { chainId, token: asset.asset })
    if (lost) throw commitmentRejected(`${lost.terms.code}: ${lost.example}`)
  }

  const readNote = ({ pool, nullifierHash }: CheckedRequest) =>
    findRequestOfNote(database, { chainId: pool.chainId, pool: pool.address, nullifierHash })

  /** Joins the request that already holds the note. */
  async function join(
    existing: RelayRequestRow,
    request: RelayRequest,
    { context }: CheckedRequest,
    client: string,
  ): Promise<Holder> {
    // A confirmed relay is public on chain, so no proof is needed to learn it.
    if (existing.status !== 'confirmed' || existing.context === context) await verify(request, client)
    return joinHolder(existing, context)
  }

  /** Makes the request the holder of its note. */
  async function begin(
    requestId: string,
    request: RelayRequest,
    checked: CheckedRequest,
    { client, tell }: { client: string; tell: Tell },
  ): Promise<Holder> {
    checkTerms(request, checked)
    const [underWay] = await Promise.all([broadcast.underWay(request.chainId), demandReturn(checked)])
    if (underWay >= config.maxPending)
      throw busy(`Too many transactions are under way on chain ${request.chainId}`)
    await parts.reverts.check(checked)
    const isEager = inHand <= EAGER_AT_ONCE && !proving.failedRecently(client)
    // In one batch with the reads of the pool.
    const findingCode = settledLater(findCode(checked))
    const checking = settledLater(checkPoolState(checked))
    // Requests that are checked in parallel may be mined before it.
    const facts = { toContract: findingCode, underWay: underWay + inHand - 1 }
    const prepare = () => settledLater(prepareRelay(parts, request, checked, facts))
    const early = isEager ? { verifying: settledLater(verify(request, client)), preparing: prepare() } : null
    const [toContract] = await Promise.all([findingCode, checking])
    await parts.gasBudget.demandRoom({
      chainId: request.chainId,
      accountId: null,
      network: null,
      share: shareOf({ toContract }),
      gas: parts.relayGas.quoted(checked.pool),
      contracts: [],
    })
    // An invalid proof also fails the simulation; its own error is the better answer.
    await (early?.verifying ?? verify(request, client))
    const preparing = early?.preparing ?? prepare()
    tell('verified')
    const prepared = await preparing
    const cover = await demandCovered(broadcast, checked, prepared)
    tell('simulated')
    awaited.add(requestId)
    const outboundId = await acceptRelay(parts, requestId, checked, { ...prepared, toContract, cover })
    recent.add(checked)
    if (outboundId === null) throw alreadyInFlight()
    return { requestId, outboundId, finalHash: null }
  }

  async function admit(
    requestId: string,
    request: RelayRequest,
    asker: { client: string; tell: Tell },
  ): Promise<Holder> {
    asker.tell('received')
    const checked = await checkRequest(chains, proving, request)
    const joinFrom = async (holder: RelayRequestRow | null) =>
      holder && (await join(holder, request, checked, asker.client))
    const known = recent.has(checked) ? await joinFrom(await readNote(checked)) : null
    if (known) return known
    try {
      return await begin(requestId, request, checked, asker)
    } catch (error) {
      // An earlier equal request, at any instance, may be the cause; it may be on chain already.
      const earlier = await joinFrom(await readNote(checked).catch(() => null))
      if (!earlier) throw error
      return earlier
    }
  }

  /**
   * Waits for the hash under which a node accepted the holder's transaction; null after the time limit, which is no
   * failure.
   */
  async function awaitHash(
    { outboundId, finalHash }: Holder,
    signal: AbortSignal,
    isNew: boolean,
  ): Promise<Hash | null> {
    if (finalHash) return finalHash
    if (awaiting >= config.maxAwaiting) return null
    const limit = AbortSignal.any([signal, AbortSignal.timeout(config.sendWaitMs)])
    awaiting += 1
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
      awaiting -= 1
    }
  }

  async function answer(
    requestId: string,
    holder: Holder,
    tell: Tell,
    signal: AbortSignal,
  ): Promise<RelayAnswer> {
    const isOwn = holder.requestId === requestId
    if (isOwn) tell('broadcast')
    else await progress.forget(requestId)
    const txHash = await awaitHash(holder, signal, isOwn)
    if (isOwn && txHash) tell('broadcast', txHash)
    return accepted(holder.requestId, txHash)
  }

  /** Builds the answer to a failure, and publishes it to followers of the request or the note. */
  async function conclude(
    error: unknown,
    request: RelayRequest,
    requestId: string,
    tell: Tell,
  ): Promise<RelayAnswer> {
    const isBusy = error instanceof ProvingBusyError || error instanceof ThreadLostError
    const cause = isBusy ? busy('All verifiers are busy') : error
    const isMeant = cause instanceof RefusedError || cause instanceof ServiceError
    tell('failed', null, isMeant ? cause.message : 'The service failed; the same request may be sent again')
    if (!(cause instanceof RefusedError)) throw cause
    parts.onRefused(cause.refusal)
    logger.info({ chainId: request.chainId, requestId, code: cause.refusal.code }, 'relay request refused')
    return { success: false, timestamp: Date.now(), requestId, error: cause.message }
  }

  return async (request, { clientAddress, signal }) => {
    if (inHand >= config.maxInHand) throw busy('Too many requests are being checked')
    const requestId = randomUUID()
    const nullifier = parseFieldElement(request.publicSignals[1])
    // Publishing progress must neither delay a request nor make it fail.
    const tell: Tell = (status, txHash = null, error = null) => {
      const told = progress.publish(
        { requestId, chainId: request.chainId, status, txHash, error, updatedAt: Date.now() },
        nullifier === null ? null : BigInt(nullifier),
      )
      told.catch((failure: unknown) => logger.warn({ err: failure, requestId }, 'progress not told'))
    }
    inHand += 1
    try {
      const holder = await admit(requestId, request, { client: clientAddress, tell }).finally(
        () => (inHand -= 1),
      )
      return await answer(requestId, holder, tell, signal)
    } catch (error) {
      return await conclude(error, request, requestId, tell)
    } finally {
      awaited.delete(requestId)
    }
  }
}
