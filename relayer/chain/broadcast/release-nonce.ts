import { randomUUID } from 'node:crypto'
import type { DatabaseTransactionConnection } from 'slonik'
import type { Hex } from 'viem'
import { lockForms } from '../../../db/chain/broadcast/outbound-forms.ts'
import { insertSigned, type Assignment } from '../../../db/chain/broadcast/outbound-queue.ts'
import { dropNonce } from '../../../db/chain/broadcast/outbound-settle.ts'
import { lockSigner, setNextTxNonce } from '../../../db/chain/broadcast/signer-leases.ts'
import { computeFees } from './compute-fees.ts'
import { isKnownNowhere } from './list-nodes.ts'
import { dataFeeOf, NONCE_FILLER, readMarket, signerKey, type Outbox, type SignedOutbound } from './outbox.ts'
import { sendToAll } from './send-raw.ts'
import { settleInTransaction, tellSettled, type SettledOutbound } from './settle-outbound.ts'
import { bytesOf, signAttempt } from './sign-attempt.ts'

const FILLER_GAS = 21_000n

/**
 * Takes its nonce from a transaction that no node has: back into the queue, or abandoned when a reason is given. The
 * nonce is handed out next when it was the highest; otherwise a transfer of nothing to ourselves uses it up.
 *
 * The row is locked first and the nodes are asked afterwards, so that it is given to none of them meanwhile (see
 * `offerNewest`).
 * @param isNew No node was ever given any of its forms: they need not be asked.
 */
export async function releaseNonce(
  outbox: Outbox,
  outbound: SignedOutbound,
  reason: string | null,
  isNew: boolean,
): Promise<void> {
  const key = signerKey(outbox, outbound.signer)
  const done = await outbox.pool.transaction(async (transaction) => {
    const hashes = await lockForms(transaction, outbound)
    if (hashes.length === 0) return null
    if (!isNew && !(await isKnownNowhere(outbox.nodes, hashes))) return null
    const next = await lockSigner(transaction, key, outbox.owner)
    const dropped = next !== null && (await drop(outbox, transaction, outbound, reason))
    if (!dropped) return null
    if (next !== outbound.txNonce + 1) {
      const filler = await insertFiller(outbox, transaction, outbound.signer, outbound.txNonce)
      return { ...dropped, filler }
    }
    await setNextTxNonce(transaction, key, outbound.txNonce)
    return { ...dropped, filler: null }
  })
  if (!done) return
  tellDropped(outbox, outbound, done.reason)
  if (done.filler) await sendToAll(outbox.nodes, done.filler.attempt.raw)
}

/** The same for a nonce that the chain has counted already: it needs no filler. */
export async function dropTakenNonce(
  outbox: Outbox,
  outbound: SignedOutbound,
  reason: string | null,
): Promise<void> {
  const dropped = await outbox.pool.transaction((transaction) => drop(outbox, transaction, outbound, reason))
  if (dropped) tellDropped(outbox, outbound, dropped.reason)
}

const abandoned = (outbound: SignedOutbound, reason: string): SettledOutbound => ({
  outbound,
  settlement: { status: 'abandoned', reason },
})

/** @returns Why it was abandoned, null inside when it is queued again; null when it has ended or moved. */
async function drop(
  outbox: Outbox,
  transaction: DatabaseTransactionConnection,
  outbound: SignedOutbound,
  wanted: string | null,
): Promise<{ reason: string | null } | null> {
  const dropped = await dropNonce(transaction, outbound, wanted)
  if (dropped && dropped.reason !== null)
    await settleInTransaction(outbox, transaction, outbound.kind, [abandoned(outbound, dropped.reason)])
  return dropped
}

function tellDropped(outbox: Outbox, outbound: SignedOutbound, reason: string | null): void {
  outbox.handedOverAt.delete(outbound.id)
  outbox.reviewedAt.delete(outbound.id)
  outbox.logger.warn(
    { outboundId: outbound.id, txNonce: outbound.txNonce, reason },
    'a transaction gave up its nonce',
  )
  if (reason !== null) tellSettled(outbox, abandoned(outbound, reason))
  outbox.dispatch()
}

/** Writes the transfer of nothing that uses up a nonce; null when this instance cannot sign or price it now: the nonce is mended later. */
export async function insertFiller(
  outbox: Outbox,
  transaction: DatabaseTransactionConnection,
  address: Hex,
  txNonce: number,
): Promise<Omit<Assignment, 'outboundId'> | null> {
  const { chainId, relayer } = outbox.chain.config
  const signer = outbox.signers.get(address)
  const market = readMarket(outbox)
  if (!signer || !market) return null
  const call = { to: address, data: '0x' as const, value: 0n, gasLimit: FILLER_GAS }
  const fees = computeFees(market, relayer.maxGasPrice)
  const attempt = await signAttempt(signer.account, call, {
    chainId,
    txNonce,
    fees,
    dataFee: dataFeeOf(outbox, bytesOf(call)),
  })
  const assignment = { signer: address, txNonce, attempt }
  const id = randomUUID()
  await insertSigned(transaction, { id, chainId, kind: NONCE_FILLER, reference: id, ...call }, assignment)
  return assignment
}
