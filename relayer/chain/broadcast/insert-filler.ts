import { randomUUID } from 'node:crypto'
import type { DatabaseTransactionConnection } from 'slonik'
import type { Address } from 'viem'
import { insertSigned } from '../../../db/chain/broadcast/outbound-queue.ts'
import { computeFees } from './compute-fees.ts'
import { mostExtraOf, NONCE_FILLER, readMarket, type Outbox, type SignedOutbound } from './outbox.ts'
import { signAttempt } from './sign-attempt.ts'
import { offerWritten } from './offer-forms.ts'

const FILLER_GAS = 21_000n

/**
 * Writes a filler: a transfer of nothing to ourselves, which uses up a nonce that later ones wait for.
 * @returns Null when this instance cannot sign or price it now: the gap is closed later.
 */
export async function insertFiller(
  outbox: Outbox,
  transaction: DatabaseTransactionConnection,
  address: Address,
  txNonce: number,
): Promise<SignedOutbound | null> {
  const {
    chainId,
    relayer: { maxGasPrice },
  } = outbox.chain.config
  const signer = outbox.signers.get(address)
  const market = readMarket(outbox)
  if (!signer || !market) return null
  const call = { to: address, data: '0x' as const, value: 0n, gasLimit: FILLER_GAS }
  const fees = computeFees(market, maxGasPrice)
  const attempt = await signAttempt(signer.account, call, {
    chainId,
    txNonce,
    fees,
    extraFee: mostExtraOf(outbox, call),
  })
  const id = randomUUID()
  const row = { id, chainId, kind: NONCE_FILLER, reference: id, ...call }
  await insertSigned(transaction, row, { signer: address, txNonce, attempt })
  return { id, kind: NONCE_FILLER, reference: id, value: 0n, signer: address, txNonce }
}

/** Sends newly written fillers to all nodes. A filler that no node accepts is offered again in the next round. */
export async function offerFillers(outbox: Outbox, fillers: readonly SignedOutbound[]): Promise<void> {
  const answers = await offerWritten(outbox, fillers, false)
  for (const { outbound, sent } of answers)
    if (sent.status !== 'accepted') outbox.handedOverAt.delete(outbound.id)
}
