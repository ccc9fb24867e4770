import type { Hash } from 'viem'
import { insertReplacement, lockUnmined } from '../../../db/chain/broadcast/outbound-forms.ts'
import { markRefused } from '../../../db/chain/broadcast/outbound-watch.ts'
import { bumpFees, type Fees, type Market } from './compute-fees.ts'
import { capWithin, coveredCall, type CoveredCall } from './cover.ts'
import { offerWritten } from './offer-forms.ts'
import { eventsOf } from './nonce-machine.ts'
import { mostExtraOf, readMarket, type Outbox, type SignedOutbound } from './outbox.ts'
import type { Sent } from './send-raw.ts'
import { signAttempt } from './sign-attempt.ts'

/** A signed form with its fees, in wei per gas. */
export interface PricedAttempt extends Fees {
  hash: Hash
}

/**
 * Returns the most that a form may offer, in wei per gas. An empty transfer may offer twice the chain's cap. It replaces a
 * transaction that can only fail and may be at the cap already, for a fraction of the cost of that failure.
 */
export const capOf = (outbox: Outbox, pointless: string | null, covered: CoveredCall) =>
  pointless === null ? capWithin(outbox, covered) : 2n * outbox.chain.config.relayer.maxGasPrice

/** A transaction that has a nonce and signed forms, the newest first. */
export type Replaceable = SignedOutbound & { attempts: readonly PricedAttempt[]; pointless?: string | null }

/**
 * Offers a transaction at a higher price, under the same nonce: only one of its forms can be mined. The new form does
 * nothing where the transaction can only fail. Does nothing when the cap leaves no room, or the signer is not ours. The same
 * if the transaction was mined, or moved to another signer, meanwhile.
 */
export async function replaceAttempt(outbox: Outbox, outbound: Replaceable): Promise<void> {
  const { bumpPercent } = outbox.config
  await offerNewForm(outbox, outbound, (newest, market, maxGasPrice) =>
    bumpFees(newest, market, { bumpPercent, maxGasPrice }),
  )
}

/**
 * Signs, writes and offers another form of a transaction.
 * @param price The fees by those of the newest form, the market and the cap; null for none.
 * @returns The form and the nodes' answer; null where there is none.
 */
export async function offerNewForm(
  outbox: Outbox,
  outbound: Replaceable,
  price: (newest: Fees, market: Market, cap: bigint) => Fees | null,
): Promise<{ attempt: PricedAttempt; sent: Sent } | null> {
  const { chain, config, pool, logger } = outbox
  const { chainId } = chain.config
  const market = readMarket(outbox)
  const signer = outbox.signers.get(outbound.signer)
  const [newest] = outbound.attempts
  if (!market || !signer?.leased || !newest) return null
  const { txNonce } = outbound
  const attempt = await pool.transaction(async (transaction) => {
    const call = await lockUnmined(transaction, outbound)
    if (!call) return null
    const fees = price(newest, market, capOf(outbox, outbound.pointless ?? null, coveredCall(call)))
    if (!fees) return null
    const extraFee = mostExtraOf(outbox, call)
    const signed = await signAttempt(signer.account, call, { chainId, txNonce, fees, extraFee })
    await insertReplacement(transaction, outbound.id, signed)
    return signed
  })
  if (!attempt) return null
  const [offered] = await offerWritten(outbox, [outbound], true)
  // It ended or moved since; the signed form stays on disk.
  if (offered?.hash !== attempt.hash) return null
  const { sent } = offered
  const { maxFeePerGas, maxPriorityFeePerGas } = attempt
  const fees = { maxFeePerGas, maxPriorityFeePerGas }
  logger.info(
    { outboundId: outbound.id, hash: attempt.hash, fees, outcome: sent.status },
    'offered at a higher price',
  )
  if (sent.status !== 'refused') return { attempt, sent }
  // The earlier forms remain; offering them again shows what the refusal means for them.
  const [reception] = eventsOf(sent, { refusals: 0, maxRefusals: config.maxRefusals })
  await markRefused(pool, attempt.hash, {
    message: sent.message,
    delivery: reception === 'refused-by-all' ? 'refused' : 'unknown',
    unexplained: 0,
    lessee: outbox.owner,
  })
  return { attempt, sent }
}
