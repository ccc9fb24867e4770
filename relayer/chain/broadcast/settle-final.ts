import type { UnfinishedOutbound } from '../../../db/chain/broadcast/outbound-watch.ts'
import type { Head } from '../nodes/chain.ts'
import { TRANSITIONS } from './nonce-machine.ts'
import type { Outbox } from './outbox.ts'
import type { PaidReceipt } from './read-receipts.ts'
import { settleMined, type MinedOutbound } from './settle-outbound.ts'

/** A transaction in a block. */
export interface Mined {
  outbound: UnfinishedOutbound
  /** Of the form that says how the transaction ends. */
  receipt: PaidReceipt
  /** Of all forms that were mined: more than one where the transaction had to move to another nonce. */
  receipts: readonly PaidReceipt[]
}

/** Wei that the signer paid for a mined form. */
const costOf = ({ gasUsed, effectiveGasPrice, extraFee }: PaidReceipt) =>
  gasUsed * effectiveGasPrice + extraFee

/**
 * Settles transactions of which every mined form is final, after asking once more whether their blocks are still the chain's.
 * @returns The ids of those that were settled.
 */
export async function settleFinal(
  outbox: Outbox,
  head: Head,
  mined: readonly Mined[],
): Promise<ReadonlySet<string>> {
  const { chain } = outbox
  const newestFinal = head.number - BigInt(chain.config.confirmations)
  const candidates = mined.filter(({ receipts }) =>
    receipts.every(({ blockNumber }) => blockNumber <= newestFinal),
  )
  if (candidates.length === 0) return new Set()
  const numbers = new Set(
    candidates.flatMap(({ receipts }) => receipts.map(({ blockNumber }) => blockNumber)),
  )
  const blocks = await Promise.all([...numbers].map((blockNumber) => chain.client.getBlock({ blockNumber })))
  const canonical = new Set(blocks.map(({ hash }) => hash))
  const final = candidates.filter(({ receipts }) =>
    receipts.every(({ blockHash }) => canonical.has(blockHash)),
  )
  return settleMined(outbox, final.map(settlementOf))
}

function settlementOf({ outbound, receipt, receipts }: Mined): MinedOutbound {
  const event = receipt.status === 'success' ? 'final-success' : 'final-revert'
  return {
    outbound,
    settlement: {
      status: TRANSITIONS.mined[event].to,
      hash: receipt.transactionHash,
      blockNumber: receipt.blockNumber,
      blockHash: receipt.blockHash,
      signer: outbound.signer,
      // What the other forms burnt was paid as well.
      fee: receipts.reduce((sum, one) => sum + costOf(one), 0n),
      gasUsed: receipt.gasUsed,
      logs: receipt.logs,
    },
  }
}
