import { randomUUID } from 'node:crypto'
import type { DatabaseTransactionConnection } from 'slonik'
import type { Hex } from 'viem'
import { insertSigned, type Assignment } from '../../db/broadcast/outbound-queue.ts'
import { dropNonce } from '../../db/broadcast/outbound-settle.ts'
import { lockSigner, setNextTxNonce } from '../../db/broadcast/signer-leases.ts'
import { computeFees } from './compute-fees.ts'
import { NONCE_FILLER, readMarket, signerKey, type Outbox, type SignedOutbound } from './outbox.ts'
import { sendToAll } from './send-raw.ts'
import { settleInTransaction, tellSettled, type SettledOutbound } from './settle-outbound.ts'
import { signAttempt } from './sign-attempt.ts'

const FILLER_GAS = 21_000n

/**
 * Takes its nonce from a transaction that no node has: back into the queue, or abandoned when a reason is given. The
 * nonce is handed out next when it was the highest; otherwise a transfer of nothing to ourselves uses it up.
 */
export async function releaseNonce(
  outbox: Outbox,
  outbound: SignedOutbound,
  reason: string | null,
): Promise<void> {
  const key = signerKey(outbox, outbound.signer)
  const done = await outbox.pool.transaction(async (transaction) => {
    const next = await lockSigner(transaction, key, outbox.owner)
    if (next === null || !(await drop(outbox, transaction, outbound, reason))) return null
    if (next !== outbound.txNonce + 1)
      return { filler: await insertFiller(outbox, transaction, outbound.signer, outbound.txNonce) }
    await setNextTxNonce(transaction, key, outbound.txNonce)
    return { filler: null }
  })
  if (!done) return
  tellDropped(outbox, outbound, reason)
  if (done.filler) await sendToAll(outbox.nodes, done.filler.attempt.raw)
}

/** The same for a nonce that the chain has counted already: it needs no filler. */
export async function dropTakenNonce(
  outbox: Outbox,
  outbound: SignedOutbound,
  reason: string | null,
): Promise<void> {
  const isDropped = await outbox.pool.transaction((transaction) =>
    drop(outbox, transaction, outbound, reason),
  )
  if (isDropped) tellDropped(outbox, outbound, reason)
}

const abandoned = (outbound: SignedOutbound, reason: string): SettledOutbound => ({
  outbound,
  settlement: { status: 'abandoned', reason },
})

async function drop(
  outbox: Outbox,
  transaction: DatabaseTransactionConnection,
  outbound: SignedOutbound,
  reason: string | null,
): Promise<boolean> {
  if (!(await dropNonce(transaction, outbound, reason))) return false
  if (reason !== null)
    await settleInTransaction(outbox, transaction, outbound.kind, [abandoned(outbound, reason)])
  return true
}

function tellDropped(outbox: Outbox, outbound: SignedOutbound, reason: string | null): void {
  outbox.handedOverAt.delete(outbound.id)
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
  const { chainId, maxGasPrice } = outbox.chain.config
  const signer = outbox.signers.get(address)
  const market = readMarket(outbox)
  if (!signer || !market) return null
  const call = { to: address, data: '0x' as const, value: 0n, gasLimit: FILLER_GAS }
  const fees = computeFees(market, maxGasPrice)
  const attempt = await signAttempt(signer.account, call, { chainId, txNonce, fees })
  const assignment = { signer: address, txNonce, attempt }
  const id = randomUUID()
  await insertSigned(transaction, { id, chainId, kind: NONCE_FILLER, reference: id, ...call }, assignment)
  return assignment
}
