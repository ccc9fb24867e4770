import type { Address } from 'viem'
import { insertSignedOrQueued } from '../../../db/chain/broadcast/outbound-birth.ts'
import { insertQueued, type Beside, type NewOutbound } from '../../../db/chain/broadcast/outbound-queue.ts'
import { pickSigner, type Assigned } from './assign-queued.ts'
import { hasDuty } from '../nodes/relayer-config.ts'
import { computeFees, meetsMarket, type Fees } from './compute-fees.ts'
import { capWithin, coveredCall, isCovered } from './cover.ts'
import { mostExtraOf, readMarket, type Outbox, type Signer } from './outbox.ts'
import { signAttempt, worstCost } from './sign-attempt.ts'

/** A nonce that this instance takes to be a signer's next, for one transaction. */
interface Claim {
  signer: Signer
  txNonce: number
  fees: Fees
  extraFee: bigint
}

/**
 * Takes the next nonce of the signer of the simulation, or of the least busy one. This instance's memory of signers may be
 * stale: the statement that writes the transaction decides.
 * @returns Null where the data is uncertain, or others wait: then it is queued like them.
 */
function claimNonce(outbox: Outbox, call: NewOutbound, origin: Address | undefined): Claim | null {
  const { config } = outbox
  const market = readMarket(outbox)
  // While others are being sent, new ones are assigned and sent together with them, which costs less.
  if (!market || outbox.hasQueued || outbox.inHand.size > 0) return null
  const covered = coveredCall({ covered: null, likelyGas: null, ...call.cover, ...call })
  if (!isCovered(outbox, covered)) return null
  const fees = computeFees(market, capWithin(outbox, covered))
  if (!meetsMarket(fees, market)) return null
  const extraFee = mostExtraOf(outbox, call)
  const cost = worstCost(call, fees) + extraFee
  const duty = outbox.handlers.get(call.kind)?.duty ?? 'sends'
  const able = [...outbox.signers.values()].flatMap((signer) => {
    const { leased, balance, nextTxNonce, pending, reserved } = signer
    if (!leased || !hasDuty(signer, duty) || balance === null || nextTxNonce === null) return []
    return [{ signer, txNonce: nextTxNonce, pending, budget: balance - reserved }]
  })
  const simulated = able.filter(({ signer }) => signer.account.address === origin)
  const chosen =
    pickSigner(simulated, cost, config.maxPendingPerSigner) ??
    pickSigner(able, cost, config.maxPendingPerSigner)
  if (!chosen) return null
  const { signer, txNonce } = chosen
  signer.nextTxNonce = txNonce + 1
  signer.pending += 1
  signer.reserved += cost
  return { signer, txNonce, fees, extraFee }
}

/**
 * Writes a new transaction and a row of the caller's. With a free signer one statement does what queueing and
 * {@link assignQueued} do in six; else it is queued. Sends nothing.
 * @returns The transaction to send; null where it is queued.
 * @throws The error of the statement, if the caller's row causes one; then nothing is written.
 */
export async function writeNew(
  outbox: Outbox,
  call: NewOutbound,
  origin: Address | undefined,
  { message, beside }: { message: string; beside: Beside },
): Promise<Assigned | null> {
  const { pool, owner, config, chain, inHand } = outbox
  const claim = claimNonce(outbox, call, origin)
  if (!claim) {
    await insertQueued(pool, call, message, beside)
    return null
  }
  const { signer, txNonce, fees, extraFee } = claim
  const { id, kind, reference, value } = call
  let isSigned = false
  inHand.add(id)
  try {
    const terms = { chainId: chain.config.chainId, txNonce, fees, extraFee }
    const attempt = await signAttempt(signer.account, call, terms)
    isSigned = await insertSignedOrQueued(
      pool,
      call,
      {
        signer: signer.account.address,
        txNonce,
        attempt,
        owner,
        maxPending: config.maxPendingPerSigner,
        balance: signer.balance ?? 0n,
      },
      { message, beside },
    )
    if (!isSigned) return null
    const { address } = signer.account
    return {
      outbound: { id, kind, reference, value, signer: address, txNonce },
      assignment: { outboundId: id, signer: address, txNonce, attempt },
    }
  } finally {
    // The nonce stays the next one, as far as this instance knows; the assignment under lock decides.
    if (!isSigned) {
      signer.nextTxNonce = null
      inHand.delete(id)
    }
  }
}
