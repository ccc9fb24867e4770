import { markRefused } from '../../../db/chain/broadcast/outbound-watch.ts'
import { NONCE_FILLER, type Outbox, type SignedOutbound } from './outbox.ts'
import { releaseNonce } from './release-nonce.ts'
import { replaceAttempt, type PricedAttempt } from './replace-attempt.ts'
import { resolveTakenNonce } from './resolve-taken-nonce.ts'
import type { Sent } from './send-raw.ts'

/** A transaction whose newest attempt, the first of `attempts`, was not taken. */
export interface Refused extends SignedOutbound {
  refusals: number
  attempts: readonly PricedAttempt[]
}

/**
 * Does what a node's refusal asks for. Silence asks for nothing: the bytes are on disk, and are sent again later.
 * A nonce is only given to another transaction when no node can have this one.
 */
export async function handleRefusal(
  outbox: Outbox,
  refused: Refused,
  sent: Sent,
  { isFirstSend }: { isFirstSend: boolean },
): Promise<void> {
  const { logger, config, pool } = outbox
  const [newest] = refused.attempts
  if (sent.status === 'accepted' || !newest) return
  const log = logger.child({ outboundId: refused.id, txNonce: refused.txNonce, signer: refused.signer })
  if (sent.status !== 'refused') {
    log.warn(
      { outcome: sent.status, detail: sent.message },
      'no node had a verdict; the transaction is sent again later',
    )
    return
  }
  const { refusal, message } = sent
  // Never given to any node before, and no node took it now.
  const isNew = sent.isCertain && isFirstSend
  log.warn({ refusal, detail: message }, 'a node refused a transaction')
  await markRefused(pool, newest.hash, { message, isCertain: isNew, counts: refusal === 'unknown' })
  const hashes = refused.attempts.map(({ hash }) => hash)

  switch (refusal) {
    case 'nonce-taken':
      return resolveTakenNonce(outbox, refused, { hashes, isNew })
    case 'outbid':
      await replaceAttempt(outbox, refused)
      return
    case 'market':
    case 'busy':
      return
    case 'funds': {
      const signer = outbox.signers.get(refused.signer)
      // Until the next look at the balances, so that the queue does not come straight back to it.
      if (signer) signer.balance = null
      return release(outbox, refused, { isNew, reason: null })
    }
    case 'invalid':
      return release(outbox, refused, { isNew, reason: message })
    case 'unknown':
      if (refused.refusals + 1 < config.maxRefusals) return
      return release(outbox, refused, { isNew: false, reason: message })
  }
}

async function release(
  outbox: Outbox,
  refused: Refused,
  { isNew, reason }: { isNew: boolean; reason: string | null },
): Promise<void> {
  // A filler's nonce needs it: it waits for money or for another node.
  if (refused.kind === NONCE_FILLER) return
  await releaseNonce(outbox, refused, reason, isNew)
}
