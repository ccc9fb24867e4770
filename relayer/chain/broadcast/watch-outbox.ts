import {
  listUnfinished,
  markMined,
  type MinedMark,
  type UnfinishedOutbound,
} from '../../../db/chain/broadcast/outbound-watch.ts'
import { countLoad, isLookDue, lookAtSigners } from './look-at-signers.ts'
import { fillNonceGaps } from './fill-nonce-gaps.ts'
import { step } from './nonce-machine.ts'
import { nowOf } from './nonce-terms.ts'
import { tellSent } from './book-accepted.ts'
import type { Outbox } from './outbox.ts'
import { pushUnmined } from './push-unmined.ts'
import { readReceipts, type PaidReceipt } from './read-receipts.ts'
import { reviewQueued } from './review-queued.ts'
import { settleFinal, type Mined } from './settle-final.ts'

/**
 * One round over a chain. Reads the receipts of every form of every unfinished transaction, balances and nonces in one
 * JSON-RPC batch. Then settles final transactions and pushes unmined ones.
 */
export async function watchOutbox(outbox: Outbox): Promise<void> {
  const { chain, pool, owner } = outbox
  const head = chain.head()
  if (!head) return
  const unfinished = await listUnfinished(pool, chain.config.chainId, owner)
  const hashes = unfinished.flatMap(({ attempts }) => attempts.map(({ hash }) => hash))
  const [receipts, takeOver] = await Promise.all([
    readReceipts(chain.client, hashes),
    isLookDue(outbox, unfinished.length) ? lookAtSigners(outbox) : null,
  ])
  await takeOver?.()

  const mined: Mined[] = []
  const unmined: UnfinishedOutbound[] = []
  for (const outbound of unfinished) {
    const found = outbound.attempts.flatMap(({ hash }) => receipts.get(hash) ?? [])
    const receipt = chooseReceipt(found)
    if (receipt) mined.push({ outbound, receipt, receipts: found })
    else unmined.push(outbound)
  }
  const settled = await settleFinal(outbox, head, mined)
  const waiting = mined.filter(({ outbound }) => !settled.has(outbound.id))
  await noteBlocks(outbox, waiting, unmined)
  const { queued, hasGap } = await countLoad(outbox)
  outbox.hasQueued = queued > 0
  await pushUnmined(outbox, unmined)
  await fillNonceGaps(outbox, hasGap)
  if (queued > 0) await reviewQueued(outbox)
  if (queued > 0) outbox.dispatch()
}

/**
 * Chooses one that succeeded among several mined forms, else the newest. A transaction that had to move has forms under
 * several nonces.
 */
const chooseReceipt = (receipts: readonly PaidReceipt[]): PaidReceipt | undefined =>
  receipts.find(({ status }) => status === 'success') ?? receipts[0]

/** Writes down which transactions entered a block, moved to another, or fell out of theirs. */
async function noteBlocks(
  outbox: Outbox,
  mined: readonly Mined[],
  unmined: readonly UnfinishedOutbound[],
): Promise<void> {
  const entered = mined.filter(
    ({ outbound, receipt }) =>
      step(nowOf(outbound), 'receipt').effect === 'note-block' &&
      outbound.minedBlockHash !== receipt.blockHash,
  )
  const left = unmined.filter((outbound) => step(nowOf(outbound), 'receipt-gone').effect === 'forget-block')
  for (const { id, txNonce } of left) {
    outbox.logger.warn(
      { outboundId: id, txNonce },
      'a reorg took a transaction out of its block; it is offered again',
    )
    outbox.handedOverAt.delete(id)
  }
  const marks: MinedMark[] = [
    ...entered.map(({ outbound, receipt: { transactionHash: hash, blockHash, blockNumber, status } }) => ({
      id: outbound.id,
      block: { hash, blockHash, blockNumber, succeeded: status === 'success' },
    })),
    ...left.map(({ id }) => ({ id, block: null })),
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
