import type { Address } from 'viem'
import { readRawAttempts } from '../../../db/chain/broadcast/outbound-forms.ts'
import {
  findNonceGaps,
  lockSigner,
  setNextTxNonce,
  type NonceGap,
} from '../../../db/chain/broadcast/signer-leases.ts'
import { agreeOnTxNonce } from './agree-on-nonce.ts'
import { CLOSING_GAPS, type Gap } from './nonce-machine.ts'
import { signerKey, type Outbox, type Signer, type SignedOutbound } from './outbox.ts'
import { insertFiller, offerFillers } from './insert-filler.ts'
import { leasedCounts } from './look-at-signers.ts'
import { sendToAll } from './send-raw.ts'

/** Gaps of one signer that are closed in one round. */
const ROUND = 64

/**
 * Finds nonces that were handed out and exist nowhere, and closes gaps that persist. A lagging node causes the same picture
 * for a moment.
 * @param hasGap Whether the last count found a gap.
 */
export async function fillNonceGaps(outbox: Outbox, hasGap: boolean): Promise<void> {
  const { pool, owner, chain, config } = outbox
  const counts = leasedCounts(outbox)
  const found = hasGap ? await findNonceGaps(pool, chain.config.chainId, owner, counts, ROUND) : []
  for (const [address, signer] of outbox.signers) {
    const gaps = found.filter((gap) => gap.address === address)
    signer.gapSince = gaps.length > 0 ? (signer.gapSince ?? outbox.now()) : null
    if (signer.gapSince !== null && outbox.now() - signer.gapSince >= config.resendAfterMs)
      await mendGaps(outbox, address, signer, gaps)
  }
}

/**
 * Closes gaps after the chain lost final blocks (a development chain restored from an older state), or after a filler could
 * not be written. A wrong node may also have caused them. In this order: settled transactions are sent again. Fillers let
 * later transactions through, all in one round. Behind the last waiting transaction the count just goes back.
 */
async function mendGaps(
  outbox: Outbox,
  address: Address,
  signer: Signer,
  gaps: readonly NonceGap[],
): Promise<void> {
  const { nodes, logger } = outbox
  const agreed = await agreeOnTxNonce(nodes, address, 'latest')
  if (!agreed || agreed.atMost > (signer.txNonce ?? 0)) {
    signer.gapSince = null
    return
  }
  const resent = await resendSettled(outbox, gaps)
  if (resent.size > 0) {
    logger.warn({ signer: address, resent: resent.size }, 'the chain lost settled transactions; sent again')
    // A gap behind them is checked once these are in blocks.
    if (gaps.every(({ txNonce, isBelowOthers }) => resent.has(txNonce) || !isBelowOthers)) return
  }
  const left = gaps.filter(({ txNonce }) => !resent.has(txNonce))
  const fillers = await fill(outbox, address, left, resent.size > 0)
  logger.warn(
    { signer: address, txNonce: left[0]?.txNonce, fillers: fillers.length },
    'gaps in the nonces of a signer were mended',
  )
  await offerFillers(outbox, fillers)
}

/** Sends settled transactions of these nonces again. @returns The nonces of those that a node accepted. */
async function resendSettled(
  { pool, takers }: Outbox,
  gaps: readonly NonceGap[],
): Promise<ReadonlySet<number>> {
  const settled = gaps.flatMap(({ txNonce, settledHash }) =>
    settledHash === null ? [] : [{ txNonce, hash: settledHash }],
  )
  if (settled.length === 0) return new Set()
  const raws = await readRawAttempts(
    pool,
    settled.map(({ hash }) => hash),
  )
  const taken = await Promise.all(
    settled.map(async ({ txNonce, hash }) => {
      const raw = raws.get(hash)
      return raw && (await sendToAll(takers, raw)).status === 'accepted' ? [txNonce] : []
    }),
  )
  return new Set(taken.flat())
}

/**
 * Writes fillers below waiting transactions, and sets the count back to the first gap behind them, unless `keepsCount`.
 * @returns The fillers to send.
 */
function fill(
  outbox: Outbox,
  address: Address,
  gaps: readonly NonceGap[],
  keepsCount: boolean,
): Promise<SignedOutbound[]> {
  const { pool, owner } = outbox
  const key = signerKey(outbox, address)
  return pool.transaction(async (transaction) => {
    const next = await lockSigner(transaction, key, owner)
    if (next === null) return []
    // Checked again with the signer locked: no nonce is handed out or given back meanwhile.
    const lowest = gaps[0]?.txNonce ?? next
    const counts = [{ address, counted: lowest }]
    const still = await findNonceGaps(transaction, key.chainId, owner, counts, ROUND)
    const open = still.filter(({ txNonce }) => gaps.some((gap) => gap.txNonce === txNonce))
    const fillers: SignedOutbound[] = []
    for (const gap of open) {
      if (CLOSING_GAPS[kindOf(gap)] === 'count-back') {
        if (!keepsCount) await setNextTxNonce(transaction, key, gap.txNonce)
        break
      }
      const filler = await insertFiller(outbox, transaction, address, gap.txNonce)
      if (!filler) break
      fillers.push(filler)
    }
    return fillers
  })
}

/** A transaction settled under the nonce was sent again before, or is deleted. */
const kindOf = ({ isBelowOthers }: NonceGap): Exclude<Gap, 'settled-before'> =>
  isBelowOthers ? 'below-others' : 'last'
