import { BlockNotFoundError, type Hash } from 'viem'
import type { UnfinishedOutbound } from '../../../db/chain/broadcast/outbound-watch.ts'
import type { Head } from '../nodes/chain.ts'
import { askAll } from './agree-on-nonce.ts'
import { TRANSITIONS } from './nonce-machine.ts'
import type { Outbox } from './outbox.ts'
import { toPaidReceipt, type PaidReceipt, type RawPaidReceipt } from './read-receipts.ts'
import { settleMined, type MinedOutbound } from './settle-outbound.ts'

/** A transaction in a block. */
export interface Mined {
  outbound: UnfinishedOutbound
  /** Of the form that decides how the transaction ends. */
  receipt: PaidReceipt
  /** Of all forms that were mined: more than one where the transaction had to move to another nonce. */
  receipts: readonly PaidReceipt[]
}

/** Wei that the signer paid for a mined form. */
const costOf = ({ gasUsed, effectiveGasPrice, extraFee }: PaidReceipt) =>
  gasUsed * effectiveGasPrice + extraFee

/**
 * Settles transactions of which every mined form is final, after checking once more that their blocks are still on the
 * chain.
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
  const hashes = await Promise.all([...numbers].map((number) => readHash(outbox, number)))
  const canonical = new Set(hashes)
  const final: Mined[] = []
  for (const one of candidates) {
    const receipts = await Promise.all(
      one.receipts.map(async (receipt) =>
        canonical.has(receipt.blockHash)
          ? receipt
          : findCanonical(outbox, receipt.transactionHash, newestFinal),
      ),
    )
    const found = receipts.filter((receipt) => receipt !== null)
    const receipt = found.find(({ transactionHash }) => transactionHash === one.receipt.transactionHash)
    if (receipt && found.length === receipts.length) final.push({ ...one, receipt, receipts: found })
  }
  return settleMined(outbox, final.map(settlementOf))
}

/** Null where no node shows the block: its transactions wait, and block no others. */
const readHash = ({ chain }: Outbox, blockNumber: bigint): Promise<Hash | null> =>
  chain.client.getBlock({ blockNumber }).then(
    ({ hash }) => hash,
    (error: unknown) => {
      if (error instanceof BlockNotFoundError) return null
      throw error
    },
  )

/** A node may repeat the receipt of a removed block: the first receipt of a final block of the chain counts. */
async function findCanonical(outbox: Outbox, hash: Hash, newestFinal: bigint): Promise<PaidReceipt | null> {
  const answers = await askAll(outbox.nodes, { method: 'eth_getTransactionReceipt', params: [hash] })
  for (const answer of answers) {
    const receipt = toPaidReceipt(answer as RawPaidReceipt | null)
    if (receipt?.transactionHash !== hash || receipt.blockNumber > newestFinal) continue
    if ((await readHash(outbox, receipt.blockNumber)) === receipt.blockHash) return receipt
  }
  return null
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
      // The signer also paid for the gas of the other forms.
      fee: receipts.reduce((sum, one) => sum + costOf(one), 0n),
      gasUsed: receipt.gasUsed,
      logs: receipt.logs,
    },
  }
}
