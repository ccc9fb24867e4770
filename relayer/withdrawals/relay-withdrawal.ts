import { randomUUID } from 'node:crypto'
import type { DatabasePool } from 'slonik'
import type { Hash } from 'viem'
import type { Logger } from 'pino'
import {
  findRequestOfNote,
  insertRelayRequest,
  isNoteTaken,
  recordRelayHash,
} from '../../db/withdrawals/relay-requests.ts'
import type { RelayRequestRow } from '../../db/withdrawals/relay-requests.ts'
import { ProvingBusyError } from '../../proving/proving-pool.ts'
import { parseFieldElement } from '../../proving/field-element.ts'
import type { OutboundProgress } from '../broadcast/broadcast-engine.ts'
import { ServiceError } from '../service-error.ts'
import { checkPoolState, checkRequest, type CheckedRequest } from './check-request.ts'
import { prepareRelay } from './prepare-relay.ts'
import type { QuoteParts } from './quote-relay.ts'
import { RefusedError, type RefusalCode } from './refusals.ts'
import type { ProgressBoard } from './request-progress.ts'
import type { SimulatedCall } from './simulate-relay.ts'
import type { RelayAnswer, RelayRequest, RequestStatus } from './withdrawals.ts'

/** Name under which relays are in the outbox; their reference is the requestId. */
export const RELAY_KIND = 'relay'

export interface RelayParts extends QuoteParts {
  pool: DatabasePool
  progress: ProgressBoard
  logger: Logger
  onRefused(code: RefusalCode): void
}

interface From {
  clientAddress: string
  signal: AbortSignal
}

const busy = (what: string) =>
  new ServiceError('unavailable', `${what}; try again in a moment`, { code: 'SERVER_BUSY' })

/** Relays verified withdrawals; see ARCHITECTURE.md for the order of the steps. */
export function createRelay(parts: RelayParts): (request: RelayRequest, from: From) => Promise<RelayAnswer> {
  const { pool: database, proving, broadcast, progress, config, chains, logger } = parts
  let inHand = 0

  async function verify(request: RelayRequest, client: string): Promise<void> {
    const { proof, publicSignals } = request
    const outcome = await proving.verify({ circuit: 'withdraw', proof, publicSignals, client })
    if (!outcome.valid) throw new RefusedError('INVALID_PROOF', outcome.reason)
  }

  /** The request and its transaction, born together; null when another request took the note meanwhile. */
  async function accept(
    requestId: string,
    checked: CheckedRequest,
    call: SimulatedCall,
  ): Promise<string | null> {
    const { chainId, address, asset } = checked.pool
    try {
      const outboundId = await database.transaction(async (connection) => {
        const id = await broadcast.enqueue(connection, {
          chainId,
          kind: RELAY_KIND,
          reference: requestId,
          to: call.to,
          data: call.data,
          value: call.value,
          gasLimit: call.gas,
        })
        await insertRelayRequest(connection, {
          id: requestId,
          chainId,
          pool: address,
          asset: asset.asset,
          nullifierHash: checked.nullifierHash,
          context: checked.context,
          withdrawn: checked.withdrawn,
          outboundId: id,
        })
        return id
      })
      broadcast.wake(chainId)
      return outboundId
    } catch (error) {
      if (isNoteTaken(error)) return null
      throw error
    }
  }

  async function awaitHash(outboundId: string, signal: AbortSignal): Promise<Hash | undefined> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(config.sendWaitMs)])
    let sent: OutboundProgress
    try {
      sent = await broadcast.waitUntilSent(outboundId, limit)
    } catch (error) {
      // Accepted all the same: the requestId tells the rest.
      if (limit.aborted) return undefined
      throw error
    }
    if (sent.status === 'abandoned') throw new RefusedError('TRANSACTION_ERROR', sent.reason)
    if (sent.status === 'reverted') throw new RefusedError('TRANSACTION_ERROR', `reverted in ${sent.hash}`)
    return sent.hash
  }

  const accepted = (requestId: string, txHash: Hash | undefined): RelayAnswer => ({
    success: true,
    timestamp: Date.now(),
    requestId,
    ...(txHash && { txHash }),
  })

  /** The answer to a verified request whose note already has one: the same when it is the same withdrawal. */
  async function answerTaken(
    existing: RelayRequestRow,
    context: bigint,
    signal: AbortSignal,
  ): Promise<RelayAnswer> {
    const isSame = existing.context === context
    if (existing.status === 'confirmed') {
      if (!isSame) throw new RefusedError('NULLIFIER_ALREADY_SPENT')
      return accepted(existing.id, existing.txHash as Hash)
    }
    if (!isSame) throw new RefusedError('ALREADY_IN_FLIGHT')
    return accepted(existing.id, await awaitHash(existing.outboundId, signal))
  }

  async function relay(
    requestId: string,
    request: RelayRequest,
    { clientAddress, signal }: From,
  ): Promise<RelayAnswer> {
    const nullifier = parseFieldElement(request.publicSignals[1])
    const nullifierHash = nullifier === null ? null : BigInt(nullifier)
    const tell = (status: RequestStatus, txHash: Hash | null = null, error: string | null = null) =>
      progress.publish(
        { requestId, chainId: request.chainId, status, txHash, error, updatedAt: Date.now() },
        nullifierHash,
      )
    try {
      await tell('received')
      const checked = await checkRequest(chains, proving, request)
      const note = {
        chainId: request.chainId,
        pool: checked.pool.address,
        nullifierHash: checked.nullifierHash,
      }
      const existing = await findRequestOfNote(database, note)
      if (!existing) await checkPoolState(checked)
      // On chain for everybody to see, so no proof is needed to be told.
      else if (existing.status === 'confirmed' && existing.context !== checked.context)
        throw new RefusedError('NULLIFIER_ALREADY_SPENT')
      await verify(request, clientAddress)
      if (existing) return await answerTaken(existing, checked.context, signal)
      await tell('verified')
      const call = await prepareRelay(parts, request, checked)
      await tell('simulated')
      const outboundId = await accept(requestId, checked, call)
      if (outboundId === null) {
        const winner = await findRequestOfNote(database, note)
        if (!winner) throw busy('The other withdrawal of this note has just failed')
        return await answerTaken(winner, checked.context, signal)
      }
      await tell('broadcast')
      const txHash = await awaitHash(outboundId, signal)
      if (txHash) {
        await recordRelayHash(database, requestId, txHash)
        await tell('broadcast', txHash)
      }
      return accepted(requestId, txHash)
    } catch (error) {
      if (error instanceof RefusedError) {
        await tell('failed', null, error.message)
        parts.onRefused(error.code)
        logger.info({ chainId: request.chainId, requestId, code: error.code }, 'relay request refused')
        return { success: false, timestamp: Date.now(), requestId, error: error.message }
      }
      if (error instanceof ProvingBusyError) throw busy('All verifiers are busy')
      throw error
    }
  }

  return async (request, from) => {
    if (inHand >= config.maxInHand) throw busy('Too many requests are being checked')
    if (chains.has(request.chainId) && (await broadcast.pending(request.chainId)) >= config.maxPending)
      throw busy(`Too many transactions are under way on chain ${request.chainId}`)
    inHand += 1
    try {
      return await relay(randomUUID(), request, from)
    } finally {
      inHand -= 1
    }
  }
}
