import type { Address } from 'viem'
import { findSettledHash, hasUnfinished, hasUnfinishedAt } from '../../db/broadcast/outbound-settle.ts'
import { readRawAttempts } from '../../db/broadcast/outbound-watch.ts'
import { lockSigner, setNextTxNonce } from '../../db/broadcast/signer-leases.ts'
import { signerKey, type Outbox, type Signer } from './outbox.ts'
import { insertFiller } from './release-nonce.ts'
import { sendToAll } from './send-raw.ts'

/** Looks for signers whose next transaction in line exists nowhere, and mends those that stay so: a lagging node looks the same for a moment. */
export async function mendNonces(outbox: Outbox): Promise<void> {
  for (const [address, signer] of outbox.signers) {
    if (!signer.leased || signer.txNonce === null) continue
    if (!(await mendSigner(outbox, address, signer, signer.txNonce))) signer.gapSince = null
  }
}

/**
 * The chain lost blocks that we took for final (a development chain restored from an older state), or a filler could not
 * be written. In this order: what was settled under the nonce is sent again; a filler lets later transactions
 * through; with nothing in flight the count just goes back.
 * @returns Whether the signer has a gap.
 */
async function mendSigner(
  outbox: Outbox,
  address: Address,
  signer: Signer,
  txNonce: number,
): Promise<boolean> {
  const { pool, nodes, logger, config, owner } = outbox
  const key = signerKey(outbox, address)
  const readGap = () =>
    pool.transaction(async (transaction) => {
      const next = await lockSigner(transaction, key, owner)
      if (next === null || next <= txNonce || (await hasUnfinishedAt(transaction, key, txNonce))) return null
      return { settled: await findSettledHash(transaction, key, txNonce) }
    })
  const gap = await readGap()
  if (!gap) return false
  signer.gapSince ??= outbox.now()
  if (outbox.now() - signer.gapSince < config.resendAfterMs) return true

  const raw = gap.settled && (await readRawAttempts(pool, [gap.settled])).get(gap.settled)
  if (raw && (await sendToAll(nodes, raw)).status === 'accepted') {
    logger.warn(
      { signer: address, txNonce, hash: gap.settled },
      'the chain lost a settled transaction; sent again',
    )
    return true
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
  return false
}
