import { offerWritten } from './offer-forms.ts'
import type { Outbox, SignedOutbound } from './outbox.ts'

/** Gives fillers that were written just now to all nodes. One that none takes is offered again at the next look. */
export async function offerFillers(outbox: Outbox, fillers: readonly SignedOutbound[]): Promise<void> {
  const answers = await offerWritten(outbox, fillers, false)
  for (const { outbound, sent } of answers)
    if (sent.status !== 'accepted') outbox.handedOverAt.delete(outbound.id)
}
