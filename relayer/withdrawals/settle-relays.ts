import { decodeEventLog, getAddress } from 'viem'
import type { DatabaseTransactionConnection } from 'slonik'
import { endRelays, type RelayEnd } from '../../db/withdrawals/relay-ledger.ts'
import type { Settled, Settlement } from '../broadcast/broadcast-engine.ts'
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

function endOf({ outbound, settlement }: Settled, entrypoint: string): RelayEnd {
  const { reference: requestId } = outbound
  const failure = `TRANSACTION_ERROR: ${REFUSALS.TRANSACTION_ERROR.message}`
  if (settlement.status === 'abandoned')
    return { requestId, error: `${failure} (${settlement.reason})`, txHash: null, booking: null }
  const relayed = settlement.status === 'confirmed' ? readRelayedAmounts(settlement.logs, entrypoint) : null
  return {
    requestId,
    error: relayed ? null : failure,
    txHash: settlement.hash,
    booking: {
      withdrawn: relayed?.amount ?? 0n,
      feeReceived: relayed?.fee ?? 0n,
      gasSpent: settlement.fee,
      topUpSpent: relayed ? outbound.value : 0n,
      gasUsed: settlement.gasUsed,
    },
  }
}

/**
 * Books what became of relays' transactions, in the transaction that settles them: the requests' ends, and in the ledger
 * the fees received and the gas spent from the receipts. A reverted relay books its gas too.
 */
export function settleRelays(
  connection: DatabaseTransactionConnection,
  settled: readonly Settled[],
  entrypoint: string,
): Promise<void> {
  return endRelays(
    connection,
    settled.map((one) => endOf(one, entrypoint)),
  )
}
