import { offerWritten } from './offer-forms.ts'
import type { Outbox, SignedOutbound } from './outbox.ts'

/** Sends newly written fillers to all nodes. A filler that no node accepts is offered again in the next round. */
export async function offerFillers(outbox: Outbox, fillers: readonly SignedOutbound[]): Promise<void> {
  const answers = await offerWritten(outbox, fillers, false)
  for (const { outbound, sent } of answers)
    if (sent.status !== 'accepted') outbox.handedOverAt.delete(outbound.id)
}
