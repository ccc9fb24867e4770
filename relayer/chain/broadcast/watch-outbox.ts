import type { Hash } from 'viem'
import {
  listUnfinished,
  markMined,
  type MinedMark,
  type UnfinishedOutbound,
} from '../../../db/chain/broadcast/outbound-watch.ts'
import type { Head } from '../nodes/chain.ts'
import { countLoad, lookAtSigners } from './look-at-signers.ts'
import { fillNonceGaps } from './fill-nonce-gaps.ts'
import { tellSent } from './book-accepted.ts'
import type { Outbox } from './outbox.ts'
import { pushUnmined } from './push-unmined.ts'
import { readReceipts, type PaidReceipt } from './read-receipts.ts'
import { reviewQueued } from './review-queued.ts'
import { settleMined } from './settle-outbound.ts'

interface Mined {
  outbound: UnfinishedOutbound
  receipt: PaidReceipt
}

/**
 * One look at a chain: receipts of every form of every unfinished transaction, balances, nonces and tip in one JSON-RPC
 * batch; then settles what is final, and pushes what is not mined.
 */
export async function watchOutbox(outbox: Outbox): Promise<void> {
  const { chain, pool, owner } = outbox
  const head = chain.head()
  if (!head) return
  const unfinished = await listUnfinished(pool, chain.config.chainId, owner)
  const hashes = unfinished.flatMap(({ attempts }) => attempts.map(({ hash }) => hash))
  const [receipts, takeOver] = await Promise.all([readReceipts(chain.client, hashes), lookAtSigners(outbox)])
  await takeOver()

  const mined: Mined[] = []
  const unmined: UnfinishedOutbound[] = []
  for (const outbound of unfinished) {
    const receipt = findReceipt(outbound, receipts)
    if (receipt) mined.push({ outbound, receipt })
    else unmined.push(outbound)
  }
  await noteBlocks(outbox, mined, unmined)
  await settleFinal(outbox, head, mined)
  const queued = await countLoad(outbox)
  await pushUnmined(outbox, unmined)
  await fillNonceGaps(outbox)
  if (queued > 0) await reviewQueued(outbox)
  if (queued > 0) outbox.dispatch()
}

/** Of several forms that were mined (under several nonces, where the transaction had to move) one that succeeded, else the newest. */
function findReceipt(
  { attempts }: UnfinishedOutbound,
  receipts: ReadonlyMap<Hash, PaidReceipt>,
): PaidReceipt | undefined {
  const mined = attempts.flatMap(({ hash }) => receipts.get(hash) ?? [])
  return mined.find(({ status }) => status === 'success') ?? mined[0]
}

/** Writes down which transactions entered a block, moved to another, or fell out of theirs. */
async function noteBlocks(outbox: Outbox, mined: Mined[], unmined: UnfinishedOutbound[]): Promise<void> {
  const reorged = unmined.filter(({ minedHash }) => minedHash !== null)
  for (const { id, txNonce } of reorged) {
    outbox.logger.warn(
      { outboundId: id, txNonce },
      'a reorg took a transaction out of its block; it is sent again',
    )
    outbox.handedOverAt.delete(id)
  }
  const marks: MinedMark[] = [
    ...mined
      .filter(({ outbound, receipt }) => outbound.minedBlockHash !== receipt.blockHash)
      .map(({ outbound, receipt }) => ({
        id: outbound.id,
        block: {
          hash: receipt.transactionHash,
          blockHash: receipt.blockHash,
          blockNumber: receipt.blockNumber,
        },
      })),
    ...reorged.map(({ id }) => ({ id, block: null })),
  ]
  if (marks.length > 0) await markMined(outbox.pool, marks)
  // Sent before a crash or without an answer: that it is in a block is the first we hear of it.
  const unheard = mined.filter(
    ({ outbound }) => outbound.status === 'signed' && !outbox.inHand.has(outbound.id),
  )
  await tellSent(
    outbox,
    unheard.map(({ outbound, receipt }) => ({ outbound, hash: receipt.transactionHash })),
  )
}

/** Settles what has its confirmations, after asking once more whether its block is still the chain's. */
async function settleFinal(outbox: Outbox, head: Head, mined: readonly Mined[]): Promise<void> {
  const { chain } = outbox
  const newestFinal = head.number - BigInt(chain.config.confirmations)
  const candidates = mined.filter(({ receipt }) => receipt.blockNumber <= newestFinal)
  if (candidates.length === 0) return
  const numbers = [...new Set(candidates.map(({ receipt }) => receipt.blockNumber))]
  const blocks = await Promise.all(numbers.map((blockNumber) => chain.client.getBlock({ blockNumber })))
  const canonical = new Set(blocks.map(({ hash }) => hash))
  await settleMined(
    outbox,
    candidates
      .filter(({ receipt }) => canonical.has(receipt.blockHash))
      .map(({ outbound, receipt }) => ({
        outbound,
        settlement: {
          status: receipt.status === 'success' ? 'confirmed' : 'reverted',
          hash: receipt.transactionHash,
          blockNumber: receipt.blockNumber,
          blockHash: receipt.blockHash,
          signer: outbound.signer,
          fee: receipt.gasUsed * receipt.effectiveGasPrice + receipt.dataFee,
          gasUsed: receipt.gasUsed,
          logs: receipt.logs,
        },
      })),
  )
}
