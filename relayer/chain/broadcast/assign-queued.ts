import type { DatabaseTransactionConnection } from 'slonik'
import {
  lockQueued,
  writeAssignments,
  type Assignment,
  type QueuedOutbound,
} from '../../../db/chain/broadcast/outbound-queue.ts'
import { lockLeasedSigners } from '../../../db/chain/broadcast/signer-leases.ts'
import type { Fees } from './compute-fees.ts'
import { capWithin, coveredCall, isCovered, lowerFees } from './cover.ts'
import { mostExtraOf, signerKey, type Outbox, type SignedOutbound, type Signer } from './outbox.ts'
import { reviewTerms } from './review-queued.ts'
import type { SignerAccount } from './signers.ts'
import { signAttempt, worstCost } from './sign-attempt.ts'

/** Rows of one round; their locks last while they are signed. */
const BATCH = 32

/** Milliseconds for which the queue skips transactions that their fee does not cover: about a block. */
const UNCOVERED_PAUSE_MS = 2_000

/** A queued transaction that has just got its signer, nonce and first form. */
export interface Assigned {
  outbound: SignedOutbound
  assignment: Assignment
}

interface FreeSigner {
  account: SignerAccount
  nextTxNonce: number
  pending: number
  /** Wei not yet promised to unmined transactions. */
  budget: bigint
}

/**
 * Picks the signer with the fewest unmined transactions among those with room and money. Of equals it picks the richest, so
 * that balances drain evenly. Exported for its test, because balances of real signers differ by chance.
 */
export function pickSigner<Candidate extends Pick<FreeSigner, 'pending' | 'budget'>>(
  signers: readonly Candidate[],
  cost: bigint,
  maxPending: number,
): Candidate | undefined {
  return signers
    .filter(({ pending, budget }) => pending < maxPending && budget >= cost)
    .toSorted((a, b) => a.pending - b.pending || (b.budget > a.budget ? 1 : -1))[0]
}

/**
 * Claims queued transactions for the signers of a duty: assigns a signer and the next nonce to each, signs and stores it.
 * All of it is one database transaction, so a crash leaves each one either queued or signed and stored. Sends nothing.
 * @returns The transactions to send, and whether the queue may hold more.
 */
export async function assignQueued(
  outbox: Outbox,
  fees: Fees,
  duty: Signer['duty'],
): Promise<{ assigned: readonly Assigned[]; hasMore: boolean }> {
  let assigned: Assigned[] = []
  const letGo = () => assigned.forEach(({ outbound }) => outbox.inHand.delete(outbound.id))
  try {
    const { signers, hasMore } = await outbox.pool.transaction((transaction) => {
      letGo()
      assigned = []
      return claimQueued(transaction, { outbox, fees, duty }, assigned)
    })
    noteNextNonces(outbox, signers, assigned)
    return { assigned, hasMore }
  } catch (error) {
    letGo()
    throw error
  }
}

/** Locks the signers and as much of the queue as they may send, and stores what is signed. Adds it to `assigned`. */
async function claimQueued(
  transaction: DatabaseTransactionConnection,
  { outbox, fees, duty }: { outbox: Outbox; fees: Fees; duty: Signer['duty'] },
  assigned: Assigned[],
): Promise<{ signers: readonly FreeSigner[]; hasMore: boolean }> {
  const { config, owner, chain } = outbox
  const { chainId } = chain.config
  const signers = (await lockLeasedSigners(transaction, chainId, owner)).flatMap((row) => {
    const signer = outbox.signers.get(row.address)
    if (!signer?.leased || signer.duty !== duty || signer.balance === null) return []
    return [{ account: signer.account, ...row, budget: signer.balance - row.reserved }]
  })
  const free = signers.filter(({ pending }) => pending < config.maxPendingPerSigner)
  const room = free.reduce((sum, { pending }) => sum + config.maxPendingPerSigner - pending, 0)
  const limit = Math.min(room, BATCH)
  if (limit === 0) return { signers, hasMore: false }
  const most = free.reduce((highest, { budget }) => (budget > highest ? budget : highest), 0n)
  const { maxFeePerGas } = fees
  const review = reviewTerms(outbox)
  const except = listUncovered(outbox)
  const kinds = listKinds(outbox, duty)
  const terms = { limit, kinds, maxFeePerGas, most, review, except }
  const queued = await lockQueued(transaction, chainId, terms)
  const { uncovered, used } = await assignToSigners({ outbox, fees, signers, queued }, assigned)
  const hasMore = queued.length === limit && assigned.length + uncovered === limit
  if (assigned.length === 0) return { signers, hasMore }
  await writeAssignments(
    transaction,
    assigned.map(({ assignment }) => assignment),
    [...used].map(({ account, nextTxNonce }) => ({
      ...signerKey(outbox, account.address),
      txNonce: nextTxNonce,
    })),
  )
  return { signers, hasMore }
}

/** Assigns each transaction that is covered to a signer that can pay for it. Adds it to `assigned`. */
async function assignToSigners(
  work: {
    outbox: Outbox
    fees: Fees
    signers: readonly FreeSigner[]
    queued: readonly QueuedOutbound[]
  },
  assigned: Assigned[],
): Promise<{ uncovered: number; used: ReadonlySet<FreeSigner> }> {
  const { outbox, fees, signers, queued } = work
  const { config } = outbox
  let uncovered = 0
  const used = new Set<FreeSigner>()
  for (const next of queued) {
    const covered = coveredCall(next)
    if (!isCovered(outbox, covered)) {
      outbox.uncovered.set(next.id, outbox.now() + UNCOVERED_PAUSE_MS)
      uncovered += 1
      continue
    }
    const own = lowerFees(fees, capWithin(outbox, covered))
    // A contract may behave differently for an origin other than the simulated one.
    const origin = outbox.simulatedOrigins.find(next.id)
    const simulated = signers.filter(({ account }) => account.address === origin)
    const cost = worstCost(next, own) + mostExtraOf(outbox, next)
    const signer =
      pickSigner(simulated, cost, config.maxPendingPerSigner) ??
      pickSigner(signers, cost, config.maxPendingPerSigner)
    if (!signer) continue
    const one = await signWith(outbox, signer, next, own)
    outbox.inHand.add(one.outbound.id)
    assigned.push(one)
    used.add(signer)
  }
  return { uncovered, used }
}

/** Signs a transaction with the signer's next nonce. */
async function signWith(
  outbox: Outbox,
  signer: FreeSigner,
  queued: QueuedOutbound,
  fees: Fees,
): Promise<Assigned> {
  const { address } = signer.account
  const txNonce = signer.nextTxNonce
  const attempt = await signAttempt(signer.account, queued, {
    chainId: outbox.chain.config.chainId,
    txNonce,
    fees,
    extraFee: mostExtraOf(outbox, queued),
  })
  signer.nextTxNonce += 1
  signer.pending += 1
  signer.budget -= attempt.reserved
  const { id, kind, reference, value } = queued
  return {
    outbound: { id, kind, reference, value, signer: address, txNonce },
    assignment: { outboundId: id, signer: address, txNonce, attempt },
  }
}

/** Returns the kinds that signers of a duty send; null for all. */
const listKinds = ({ handlers }: Outbox, duty: Signer['duty']): string[] | null =>
  duty === 'all' ? null : [...handlers].flatMap(([kind, one]) => (one.duty === duty ? [kind] : []))

/** Returns transactions recently found uncovered, so that others get their turn. */
function listUncovered({ uncovered, now }: Outbox): string[] {
  for (const [id, until] of uncovered) if (until <= now()) uncovered.delete(id)
  return [...uncovered.keys()]
}

/** Remembers the next nonces for new transactions: previously unknown ones, and those that this round handed out. */
function noteNextNonces(outbox: Outbox, signers: readonly FreeSigner[], assigned: readonly Assigned[]): void {
  const used = new Set(assigned.map(({ outbound }) => outbound.signer))
  for (const { account, nextTxNonce } of signers) {
    const signer = outbox.signers.get(account.address)
    if (signer && (signer.nextTxNonce === null || used.has(account.address))) signer.nextTxNonce = nextTxNonce
  }
}
