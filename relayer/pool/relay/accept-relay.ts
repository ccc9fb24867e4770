import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabasePool } from 'slonik'
import { insertingRelayRequest, isNoteTaken, isRootOutlived } from '../../../db/pool/relay/relay-requests.ts'
import type { BroadcastEngine, OutboundCall } from '../../chain/broadcast/broadcast-engine.ts'
import type { GasBudget } from '../../chain/unpaid-gas/gas-budget.ts'
import type { CheckedRequest } from './check-request.ts'
import type { PreparedRelay } from './prepare-relay.ts'
import { poolStateRefreshing } from '../errors.ts'
import { unknownStateRoot } from './refusals.ts'

/** Name under which relays are in the outbox; their reference is the requestId. */
export const RELAY_KIND = 'relay'

/**
 * A relay that was mined counts twice until the outbox has seen its receipt: as a root of the pool and as one under way. So
 * a request for which there is no room is tried again, a moment later each time. Milliseconds.
 */
const TRY_AGAIN_MS = [100, 200, 400, 800]

const rootOutlived = (cause: unknown) =>
  poolStateRefreshing(
    'The relays under way would make the pool forget the state root of this proof; prove against a newer root',
    { cause },
  )

/** What accepting a relay needs. */
export interface AcceptParts {
  pool: DatabasePool
  broadcast: BroadcastEngine
  gasBudget: GasBudget
  config: { rootReserve: number }
}

type AcceptedRelay = PreparedRelay & {
  /** Whether the recipient runs code when it is paid. */
  toContract: boolean
}

/**
 * Writes a verified request and its transaction, born together in one statement, and has it sent. One whose recipient is
 * a contract takes its gas from the chain's budget, in the same database transaction.
 * @returns The transaction's id in the outbox; null when another request holds the note.
 * @throws ServiceError GAS_BUDGET_USED_UP; POOL_STATE_REFRESHING when the pool would forget the state root before.
 * RefusedError UNKNOWN_STATE_ROOT when it has forgotten it.
 */
export async function acceptRelay(
  parts: AcceptParts,
  requestId: string,
  checked: CheckedRequest,
  relay: AcceptedRelay,
): Promise<string | null> {
  for (const pauseMs of TRY_AGAIN_MS) {
    try {
      return await insertRelay(parts, requestId, checked, relay)
    } catch (error) {
      if (!isRootOutlived(error)) throw error
      await sleep(pauseMs)
    }
  }
  try {
    return await insertRelay(parts, requestId, checked, relay)
  } catch (error) {
    throw isRootOutlived(error) ? rootOutlived(error) : error
  }
}

async function insertRelay(
  { pool: database, broadcast, gasBudget, config }: AcceptParts,
  requestId: string,
  checked: CheckedRequest,
  { call, paidGas, toContract }: AcceptedRelay,
): Promise<string | null> {
  const { chainId, address, asset } = checked.pool
  const age = await checked.relayerChain.pools.ageOfRoot(checked.pool, checked.stateRoot)
  if (!age) throw unknownStateRoot()
  const outbound: OutboundCall = {
    chainId,
    kind: RELAY_KIND,
    reference: requestId,
    to: call.to,
    data: call.data,
    value: call.value,
    gasLimit: call.gas,
    origin: call.from,
  }
  const gasShare = toContract ? 'relay' : null
  const inserting = (outboundId: string) =>
    insertingRelayRequest(
      {
        id: requestId,
        chainId,
        pool: address,
        asset: asset.asset,
        nullifierHash: checked.nullifierHash,
        context: checked.context,
        withdrawn: checked.withdrawn,
        outboundId,
        gasShare,
      },
      { ...age, reserve: config.rootReserve },
    )
  try {
    if (gasShare === null) return await broadcast.send(outbound, inserting)
    const id = await database.transaction(async (transaction) => {
      const written = await broadcast.enqueueBeside(transaction, outbound, inserting)
      await gasBudget.take(transaction, {
        reference: requestId,
        chainId,
        share: gasShare,
        gas: call.gas,
        paidGas,
      })
      return written
    })
    broadcast.wake(chainId)
    return id
  } catch (error) {
    if (isNoteTaken(error)) return null
    throw error
  }
}
