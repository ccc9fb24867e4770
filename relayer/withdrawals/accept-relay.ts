import type { CommonQueryMethods, DatabasePool } from 'slonik'
import { insertingRelayRequest, isNoteTaken } from '../../db/withdrawals/relay-requests.ts'
import type { BroadcastEngine, OutboundCall } from '../broadcast/broadcast-engine.ts'
import { NATIVE_ASSET } from '../chains/config.ts'
import type { CheckedRequest } from './check-request.ts'
import type { PreparedRelay } from './prepare-relay.ts'
import type { GasBudget } from '../unpaid-gas/gas-budget.ts'

/** Name under which relays are in the outbox; their reference is the requestId. */
export const RELAY_KIND = 'relay'

export interface AcceptParts {
  pool: DatabasePool
  broadcast: BroadcastEngine
  gasBudget: GasBudget
}

/**
 * Writes a verified request and its transaction, born together in one statement, and has it sent. One whose recipient may
 * make it fail at our cost takes its gas from the chain's budget, in the same database transaction.
 * @returns The transaction's id in the outbox; null when another request holds the note.
 * @throws ServiceError GAS_BUDGET_USED_UP.
 */
export async function acceptRelay(
  { pool: database, broadcast, gasBudget }: AcceptParts,
  requestId: string,
  checked: CheckedRequest,
  { call, paidGas, toContract }: PreparedRelay & { toContract: boolean },
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
  const callsRecipient = asset.asset === NATIVE_ASSET || call.value > 0n
  const gasShare: 'relay' | 'plain' | null = toContract
    ? 'relay'
    : callsRecipient && gasBudget.countsPlain(chainId)
      ? 'plain'
      : null
  const write = (connection: CommonQueryMethods) =>
    broadcast.enqueueBeside(connection, outbound, (outboundId) =>
      insertingRelayRequest({
        id: requestId,
        chainId,
        pool: address,
        asset: asset.asset,
        nullifierHash: checked.nullifierHash,
        context: checked.context,
        withdrawn: checked.withdrawn,
        outboundId,
        gasShare,
      }),
    )
  try {
    const id = await (gasShare === null
      ? write(database)
      : database.transaction(async (transaction) => {
          const written = await write(transaction)
          await gasBudget.take(transaction, {
            reference: requestId,
            chainId,
            share: gasShare,
            gas: call.gas,
            paidGas,
          })
          return written
        }))
    broadcast.wake(chainId)
    return id
  } catch (error) {
    if (isNoteTaken(error)) return null
    throw error
  }
}
