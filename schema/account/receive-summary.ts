import { z } from 'zod'
import { described, shape } from '../define/shape.ts'

const count = z.int()

/** How the holdings of an address arrived. */
export const receiveSummary = shape('ReceiveSummary', 'How often, and in what, an address was paid.', {
  receiveCount: described(count, 'Receipts of the address, without those that look like spam.'),
  rawReceiveCount: described(count, 'All receipts of the address, likely spam included.'),
  trustedReceiveActionCount: described(count, 'Receipts that came from an action of the account itself.'),
  trustedReceiveActionTypes: described(z.array(z.string()), 'Kinds of those actions, each named once.'),
  assetCount: described(count, 'Different tokens that were received, without likely spam.'),
  chainCount: described(count, 'Different chains on which they were received.'),
})
