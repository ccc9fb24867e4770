import { hexToBigInt, type Address, type Hex } from 'viem'
import { agreeOnTxNonce, askAll } from './agree-on-nonce.ts'
import type { Outbox } from './outbox.ts'

/** What one node says of an account. */
export interface AccountView {
  /** Wei. */
  balance: bigint
  /** Transactions in blocks. */
  txNonce: number
  /** With those that wait in the node's pool. */
  pendingTxNonce: number
}

/**
 * How many transactions of a leased signer there are, where a node counts more than were handed out: the account is new
 * here, somebody else uses it, the database came back from a backup, or the node is wrong. A nonce handed out too high
 * holds up all that follow, so the claim is confirmed: by a second node, or by the chain's only node a second time.
 * Waiting transactions are believed in up to as many as nodes hold of one account, because a wrong one costs a filler each.
 * @returns In blocks, and the next nonce to hand out.
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

/** The highest balance that any node tells, in wei: a node that lags behind a payment must not pause a signer. */
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
