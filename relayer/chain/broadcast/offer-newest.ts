import type { Hash } from 'viem'
import { lockNewestForms } from '../../../db/chain/broadcast/outbound-forms.ts'
import type { Outbox, SignedOutbound } from './outbox.ts'
import { sendToAll, type Sent } from './send-raw.ts'

export interface Offered<Outbound> {
  outbound: Outbound
  hash: Hash
  sent: Sent
}

/**
 * Gives the newest form of each transaction to all nodes, except of those that ended, moved or were mined since they were
 * listed. The rows stay locked until the nodes have answered: whoever abandons a transaction waits, and then asks whether
 * a node has it.
 */
export async function offerNewest<Outbound extends SignedOutbound>(
  { pool, nodes, handedOverAt, now }: Outbox,
  listed: readonly Outbound[],
): Promise<Offered<Outbound>[]> {
  if (listed.length === 0) return []
  return pool.transaction(async (transaction) => {
    const forms = await lockNewestForms(transaction, listed)
    return Promise.all(
      listed.flatMap((outbound) => {
        const form = forms.get(outbound.id)
        if (!form) return []
        handedOverAt.set(outbound.id, now())
        return [sendToAll(nodes, form.raw).then((sent) => ({ outbound, hash: form.hash, sent }))]
      }),
    )
  })
}
