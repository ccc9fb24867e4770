import { decodeEventLog, getAddress } from 'viem'
import type { DatabaseTransactionConnection } from 'slonik'
import { readEntrypoints } from '../../../db/chain/indexer/read-pool-events.ts'
import { bookRelayGas } from '../../../db/chain/unpaid-gas/gas-budget.ts'
import { endRelays, type RelayEnd } from '../../../db/pool/relay/relay-ledger.ts'
import {
  listCostlyReverts,
  rememberReverts,
  type NoteAndRecipient,
} from '../../../db/pool/relay/relay-reverts.ts'
import type { Settled, Settlement } from '../../chain/broadcast/broadcast-engine.ts'
import { entrypointAbi } from '../../chain/contracts/privacy-pools.ts'
import { decodeRelayRecipient } from './encode-relay.ts'
import type { NameRecipient } from './revert-memory.ts'
import { explainEnd, transactionFailed } from './refusals.ts'

type Confirmed = Extract<Settlement, { status: 'confirmed' }>

/** Reads the relay's amount and fee from a receipt, smallest units, as the Entrypoint logged them; null if it logged none. */
function readRelayedAmounts(
  logs: Confirmed['logs'],
  entrypoints: readonly string[],
): { amount: bigint; fee: bigint } | null {
  for (const log of logs) {
    if (!entrypoints.includes(getAddress(log.address))) continue
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

function endOf({ outbound, settlement }: Settled, entrypoints: readonly string[]): RelayEnd {
  const { reference: requestId } = outbound
  if (settlement.status === 'abandoned')
    return { requestId, error: explainEnd(settlement.reason).message, txHash: null, booking: null }
  const relayed = settlement.status === 'confirmed' ? readRelayedAmounts(settlement.logs, entrypoints) : null
  return {
    requestId,
    // A transfer of nothing replaced the hopeless relay: the note is free again.
    error: relayed
      ? null
      : (outbound.pointless === null ? transactionFailed() : explainEnd(outbound.pointless)).message,
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
 * Percentage of its gas limit that a revert must exceed to be blamed on the recipient. A relay that the pool rejects
 * for its root uses at most 215,000 gas: 64 roots at 2,500 and the steps before. Its limit is 600,000 or more. The
 * recipient is called after the proof was verified (235,000) and the change note inserted.
 */
const BLAMED_FROM_PERCENT = 40

/** Dependencies for booking relays of a chain: its Entrypoint, and a keyed name for recipients. */
export interface RelayBooks {
  entrypoint: string
  nameRecipient: NameRecipient
}

/**
 * Books the results of relays' transactions, in the transaction that settles them. It ends the requests, and writes
 * received fees and spent gas from the receipts to the ledger. It also books unpaid gas, and the notes and recipients
 * that made relays revert.
 */
export async function settleRelays(
  connection: DatabaseTransactionConnection,
  settled: readonly Settled[],
  { entrypoint, nameRecipient }: RelayBooks,
): Promise<void> {
  const isUnknown = ({ settlement }: Settled) =>
    settlement.status === 'confirmed' && readRelayedAmounts(settlement.logs, [entrypoint]) === null
  // It may have been sent while another Entrypoint was configured.
  const others = settled.some(isUnknown)
    ? await readEntrypoints(connection, settled[0]?.outbound.chainId ?? 0)
    : []
  const ends = settled.map((one) => endOf(one, [entrypoint, ...others]))
  const ended = await endRelays(connection, ends)
  const failed = new Set(ends.flatMap(({ requestId, error }) => (error === null ? [] : [requestId])))
  const costly = await listCostly(connection, settled)
  const booked = new Map(ends.map((end) => [end.requestId, end.booking]))
  await bookRelayGas(
    connection,
    ended.map(({ id, chainId, gasShare }) => ({
      reference: id,
      chainId,
      share: gasShare === 'relay' ? 'relay' : 'plain_relay',
      gasUsed: booked.get(id)?.gasUsed ?? null,
      isPaid: !failed.has(id),
    })),
  )
  await blame(connection, costly, nameRecipient)
}

type CostlyReverts = Awaited<ReturnType<typeof listCostlyReverts>>

function listCostly(
  connection: DatabaseTransactionConnection,
  settled: readonly Settled[],
): Promise<CostlyReverts> {
  const reverted = settled.filter(({ settlement }) => settlement.status === 'reverted')
  if (reverted.length === 0) return Promise.resolve([])
  const requestIds = reverted.map(({ outbound }) => outbound.reference)
  return listCostlyReverts(connection, requestIds, BLAMED_FROM_PERCENT)
}

async function blame(
  connection: DatabaseTransactionConnection,
  costly: CostlyReverts,
  nameRecipient: NameRecipient,
): Promise<void> {
  const reverts: NoteAndRecipient[] = []
  for (const { chainId, pool, nullifierHash, data } of costly) {
    const recipient = decodeRelayRecipient(data)
    if (recipient)
      reverts.push({ chainId, pool, nullifierHash, recipient: await nameRecipient(chainId, recipient) })
  }
  if (reverts.length > 0) await rememberReverts(connection, reverts)
}
