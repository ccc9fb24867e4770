import { z } from 'zod'
import { defineError } from '../../../service-error.ts'

const UNTOUCHED = 'Nothing was sent; the collectible is where it was.'

/** The account holds no such collectible, or has not recorded it. */
export const collectibleNotFound = defineError({
  kind: 'not-found',
  message: 'There is no such recorded collectible at this address',
})

/** The recipient of the collectible is the account itself. */
export const collectibleRecipientOwn = defineError({
  code: 'COLLECTIBLE_RECIPIENT_OWN',
  kind: 'bad-request',
  about: 'recipientAddress',
  meaning: 'The recipient is an address of the account: the transfer would link both in public.',
  retry: 'To another recipient.',
  fundsState: UNTOUCHED,
  message: 'The recipient is an address of this account',
})

/** A pending quote already sends the collectible away. */
export const collectibleUnderWay = defineError({
  code: 'COLLECTIBLE_UNDER_WAY',
  kind: 'bad-request',
  meaning: 'The quote `quoteId` sends this collectible away.',
  retry: 'Submit or unlock that quote, or wait for its end.',
  fundsState: 'Another quote has the collectible; nothing was added to it.',
  message: 'Another quote sends this collectible away: submit it, unlock it, or wait for its end',
  members: z.object({
    quoteId: z.uuid().optional().meta({ description: 'The quote that sends the collectible away.' }),
  }),
})

/** The service pays for one transfer of a collectible a day. */
export const collectibleWithdrawnLately = defineError({
  code: 'COLLECTIBLE_WITHDRAWN_LATELY',
  kind: 'bad-request',
  meaning: 'This collectible was sent away within 24 hours, and the service pays for one transfer a day.',
  retry: 'From `availableAt` on.',
  fundsState: UNTOUCHED,
  message: 'This collectible was sent away within 24 hours',
  members: z.object({
    availableAt: z.iso.datetime().meta({ description: 'Time from which it can be sent away again.' }),
  }),
})
