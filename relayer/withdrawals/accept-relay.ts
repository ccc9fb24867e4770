import type { DatabasePool } from 'slonik'
import { insertingRelayRequest, isNoteTaken } from '../../db/withdrawals/relay-requests.ts'
import type { BroadcastEngine, OutboundCall } from '../broadcast/broadcast-engine.ts'
import type { CheckedRequest } from './check-request.ts'
import type { SimulatedCall } from './simulate-relay.ts'

/** Name under which relays are in the outbox; their reference is the requestId. */
export const RELAY_KIND = 'relay'

/**
 * Writes a verified request and its transaction, born together in one statement, and has it sent.
 * @returns The transaction's id in the outbox; null when another request holds the note.
 */
export async function acceptRelay(
  { pool: database, broadcast }: { pool: DatabasePool; broadcast: BroadcastEngine },
  requestId: string,
  checked: CheckedRequest,
  call: SimulatedCall,
): Promise<string | null> {
  const { chainId, address, asset } = checked.pool
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
  try {
    const id = await broadcast.enqueueBeside(database, outbound, (outboundId) =>
      insertingRelayRequest({
        id: requestId,
        chainId,
        pool: address,
        asset: asset.asset,
        nullifierHash: checked.nullifierHash,
        context: checked.context,
        withdrawn: checked.withdrawn,
        outboundId,
      }),
    )
    broadcast.wake(chainId)
    return id
  } catch (error) {
    if (isNoteTaken(error)) return null
    throw error
  }
}
