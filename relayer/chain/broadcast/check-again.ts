import type { Hash } from 'viem'
import { listQueuedCalls } from '../../../db/chain/broadcast/outbound-forms.ts'
import type { UnfinishedOutbound } from '../../../db/chain/broadcast/outbound-watch.ts'
import type { OutboundCall } from './broadcast-engine.ts'
import type { Outbox } from './outbox.ts'

/** Transactions whose kinds are asked about at once; the others wait for the next round. */
const AT_ONCE = 16

/** The result of the check before a form goes to nodes again. */
export type Fitness =
  /** It may succeed, or a node holds the form anyway. */
  | { is: 'fit' }
  /** Not checked, or a reorg may still undo its failure. */
  | { is: 'unchecked' }
  /** It would fail, now and after a block that is final. */
  | { is: 'failing'; reason: string }

/**
 * A transaction to send again. `isSameForm`: its newest form is sent again, so a node that holds that form makes the check
 * needless.
 */
export interface Resent {
  outbound: UnfinishedOutbound
  isSameForm: boolean
}

/**
 * Checks transactions before they are sent again: dropped by a node, at a higher price, or after a start, takeover or reorg.
 * The state may have changed since their simulation, and failing would waste their gas.
 */
export async function checkAgain(
  outbox: Outbox,
  resent: readonly Resent[],
): Promise<ReadonlyMap<string, Fitness>> {
  const found = new Map<string, Fitness>()
  const unknown = await Promise.all(
    resent.map(async (one) => {
      const { outbound, isSameForm } = one
      const [newest] = outbound.attempts
      const needsNone = outbound.pointless !== null || !outbox.reviewers.get(outbound.kind)?.again
      if (needsNone || (isSameForm && newest && (await isKnown(outbox, newest.hash))))
        found.set(outbound.id, { is: 'fit' })
      return found.has(outbound.id) ? [] : [one]
    }),
  )
  const isHeld = ({ outbound: { id } }: Resent) =>
    outbox.now() - (outbox.heldAt.get(id) ?? -Infinity) < outbox.config.resendAfterMs
  const checked = unknown
    .flat()
    .filter((one) => !isHeld(one))
    .slice(0, AT_ONCE)
  const ids = checked.map(({ outbound }) => outbound.id)
  const calls = ids.length === 0 ? null : await listQueuedCalls(outbox.pool, ids)
  await Promise.all(
    checked.map(async (one) => {
      const { id } = one.outbound
      const call = calls?.get(id)
      if (!call) return
      const fitness = await check(outbox, one, call)
      found.set(id, fitness)
      if (fitness.is !== 'fit') outbox.heldAt.set(id, outbox.now())
    }),
  )
  return found
}

/** True if any node returns the form. */
async function isKnown({ nodes, takers }: Outbox, hash: Hash): Promise<boolean> {
  const asked = [...new Set([...nodes, ...takers])].map((ask) =>
    ask({ method: 'eth_getTransactionByHash', params: [hash] }).catch(() => null),
  )
  return (await Promise.all(asked)).some((answer) => answer !== null)
}

async function check(
  outbox: Outbox,
  { outbound: { id, kind, reference }, isSameForm }: Resent,
  call: Pick<OutboundCall, 'to' | 'data' | 'value' | 'gasLimit'>,
): Promise<Fitness> {
  const { reviewers, chain, logger, failingSince } = outbox
  // Its kind withdrew the call: the next form does nothing, and the dropped one would still run it.
  if (call.data === '0x')
    return isSameForm ? { is: 'failing', reason: 'its call was withdrawn' } : { is: 'fit' }
  try {
    const { chainId } = chain.config
    const reason = await reviewers.get(kind)?.again?.({ chainId, kind, reference, ...call })
    if (reason) return isFailureFinal(outbox, id) ? { is: 'failing', reason } : { is: 'unchecked' }
    failingSince.delete(id)
    return { is: 'fit' }
  } catch (error) {
    logger.warn(
      { err: error, outboundId: id },
      'a transaction could not be checked; it is not sent again for now',
    )
    return { is: 'unchecked' }
  }
}

/**
 * True if a transaction that would fail now also failed after a block that is final by now. In memory only: a restart begins
 * anew.
 */
export function isFailureFinal({ chain, failingSince }: Outbox, id: string): boolean {
  const head = chain.head()?.number
  if (head === undefined) return false
  const since = failingSince.get(id) ?? head
  failingSince.set(id, since)
  return head - since >= BigInt(chain.config.confirmations)
}
