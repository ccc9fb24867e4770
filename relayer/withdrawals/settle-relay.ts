import { decodeEventLog, getAddress } from 'viem'
import type { DatabaseTransactionConnection } from 'slonik'
import { bookRelay } from '../../db/withdrawals/relay-ledger.ts'
import { findRelayRequest, finishRelayRequest } from '../../db/withdrawals/relay-requests.ts'
import type { Settlement } from '../broadcast/broadcast-engine.ts'
import { entrypointAbi } from '../pools/abi.ts'
import { REFUSALS } from './refusals.ts'

type Confirmed = Extract<Settlement, { status: 'confirmed' }>

/** Amount and fee of the relay in a receipt, smallest units, as the Entrypoint logged them; null when it logged none. */
function readRelayedAmounts(
  logs: Confirmed['logs'],
  entrypoint: string,
): { amount: bigint; fee: bigint } | null {
  for (const log of logs) {
    if (getAddress(log.address) !== entrypoint) continue
    try {
      const [signature, ...indexed] = log.topics
      if (signature === undefined) continue
      const { args } = decodeEventLog({
        abi: entrypointAbi,
        eventName: 'WithdrawalRelayed',
        topics: [signature, ...indexed],
        data: log.data,
      })
      return { amount: args._amount, fee: args._feeAmount }
    } catch {
      // Another event of the Entrypoint.
    }
  }
  return null
}

/**
 * Books what became of a relay's transaction, in the transaction that settles it: the request's end, and in the ledger
 * the fee received and the gas spent from the receipt. A reverted relay books its gas too.
 */
export async function settleRelay(
  connection: DatabaseTransactionConnection,
  outbound: { reference: string; value: bigint },
  settlement: Settlement,
  entrypoint: string,
): Promise<void> {
  const id = outbound.reference
  if (settlement.status === 'abandoned') {
    const error = `TRANSACTION_ERROR: ${REFUSALS.TRANSACTION_ERROR.message} (${settlement.reason})`
    await finishRelayRequest(connection, id, { status: 'failed', txHash: null, error })
    return
  }
  const request = await findRelayRequest(connection, id)
  if (!request) throw new Error(`relay request ${id} has no row`)
  const relayed = settlement.status === 'confirmed' ? readRelayedAmounts(settlement.logs, entrypoint) : null
  await bookRelay(connection, {
    requestId: id,
    chainId: request.chainId,
    pool: request.pool,
    asset: request.asset,
    withdrawn: relayed?.amount ?? 0n,
    feeReceived: relayed?.fee ?? 0n,
    gasSpent: settlement.fee,
    topUpSpent: relayed ? outbound.value : 0n,
    gasUsed: settlement.gasUsed,
    txHash: settlement.hash,
  })
  if (relayed) await finishRelayRequest(connection, id, { status: 'confirmed', txHash: settlement.hash })
  else {
    const error = `TRANSACTION_ERROR: ${REFUSALS.TRANSACTION_ERROR.message}`
    await finishRelayRequest(connection, id, { status: 'failed', txHash: settlement.hash, error })
  }
}
