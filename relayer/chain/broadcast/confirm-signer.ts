import { hexToBigInt, type Address, type Hex } from 'viem'
import { agreeOnTxNonce, askAll } from './agree-on-nonce.ts'
import type { Outbox } from './outbox.ts'

/** A node's view of an account. */
export interface AccountView {
  /** Wei. */
  balance: bigint
  /** Transactions in blocks. */
  txNonce: number
  /** Includes those that wait in the node's pool. */
  pendingTxNonce: number
}

/**
 * Confirms the transaction count of a leased signer when a node counts more than were handed out. The account may be new
 * here or used elsewhere, the database restored from a backup, or the node wrong. A nonce handed out too high blocks all
 * that follow. A second node must confirm the claim, or the chain's only node a second time. Waiting transactions count up
 * to the number that nodes hold of one account, because a wrong one costs a filler each.
 * @returns The count in blocks, and the next nonce to hand out.
 */
export async function confirmCounts(
  { nodes, config, logger }: Outbox,
  address: Address,
  claim: AccountView,
  next: number | null,
): Promise<{ txNonce: number; counted: number }> {
  const handedOut = next ?? 0
  if (next !== null && Math.max(claim.txNonce, claim.pendingTxNonce) <= next)
    return { txNonce: claim.txNonce, counted: next }
  const [latest, pending] = await Promise.all([
    agreeOnTxNonce(nodes, address, 'latest'),
    agreeOnTxNonce(nodes, address, 'pending'),
  ])
  const txNonce = latest ? Math.min(claim.txNonce, latest.atLeast) : Math.min(claim.txNonce, handedOut)
  const waiting = Math.min(claim.pendingTxNonce, pending?.atLeast ?? 0)
  const known = Math.max(handedOut, txNonce)
  const counted = waiting <= known + config.maxPendingPerSigner ? Math.max(known, waiting) : known
  if (counted < Math.max(claim.txNonce, claim.pendingTxNonce))
    logger.warn(
      { signer: address, ...claim, next, believed: counted },
      'a node counts transactions of a signer that no other node confirms',
    )
  return { txNonce, counted }
}

/** Returns the highest balance that any node reports, in wei: a node that lags behind a payment must not pause a signer. */
export async function readHighestBalance(
  { nodes }: Outbox,
  address: Address,
  claimed: bigint,
): Promise<bigint> {
  if (nodes.length < 2) return claimed
  const answers = await askAll(nodes, { method: 'eth_getBalance', params: [address, 'latest'] })
  return answers
    .map((answer) => hexToBigInt(answer as Hex))
    .reduce((most, balance) => (balance > most ? balance : most), claimed)
}
