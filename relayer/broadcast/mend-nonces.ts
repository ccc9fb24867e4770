import type { Address } from 'viem'
import { hasUnfinished, hasUnfinishedAt } from '../../db/broadcast/outbound-settle.ts'
import { readRawAttempts } from '../../db/broadcast/outbound-watch.ts'
import { findNonceGaps, lockSigner, setNextTxNonce, type NonceGap } from '../../db/broadcast/signer-leases.ts'
import { signerKey, type Outbox } from './outbox.ts'
import { insertFiller } from './release-nonce.ts'
import { sendToAll } from './send-raw.ts'

/** Looks for signers whose next transaction in line exists nowhere, and mends those that stay so: a lagging node looks the same for a moment. */
export async function mendNonces(outbox: Outbox): Promise<void> {
  const { pool, owner, chain, config } = outbox
  const counts = [...outbox.signers].flatMap(([address, { leased, txNonce }]) =>
    leased && txNonce !== null ? [{ address, counted: txNonce }] : [],
  )
  if (counts.length === 0) return
  const gaps = await findNonceGaps(pool, chain.config.chainId, owner, counts)
  for (const [address, signer] of outbox.signers) {
    const gap = gaps.find((row) => row.address === address)
    signer.gapSince = gap ? (signer.gapSince ?? outbox.now()) : null
    if (gap && signer.gapSince !== null && outbox.now() - signer.gapSince >= config.resendAfterMs)
      await mendGap(outbox, address, gap)
  }
}

/**
 * The chain lost blocks that we took for final (a development chain restored from an older state), or a filler could not
 * be written. In this order: what was settled under the nonce is sent again; a filler lets later transactions
 * through; with nothing in flight the count just goes back.
 */
async function mendGap(outbox: Outbox, address: Address, { txNonce, settledHash }: NonceGap): Promise<void> {
  const { pool, nodes, logger, owner } = outbox
  const key = signerKey(outbox, address)
  const raw = settledHash && (await readRawAttempts(pool, [settledHash])).get(settledHash)
  if (raw && (await sendToAll(nodes, raw)).status === 'accepted') {
    logger.warn(
      { signer: address, txNonce, hash: settledHash },
      'the chain lost a settled transaction; sent again',
    )
    return
  }
  const filler = await pool.transaction(async (transaction) => {
    const next = await lockSigner(transaction, key, owner)
    if (next === null || next <= txNonce || (await hasUnfinishedAt(transaction, key, txNonce))) return null
    if (await hasUnfinished(transaction, key)) return insertFiller(outbox, transaction, address, txNonce)
    await setNextTxNonce(transaction, key, txNonce)
    return null
  })
  logger.warn(
    { signer: address, txNonce, filled: filler !== null },
    'a gap in the nonces of a signer was mended',
  )
  if (filler) await sendToAll(nodes, filler.attempt.raw)
}
