import { z } from 'zod'
import { provenanceLabelGroups } from '../account/provenance/source-model.ts'
import { accountPath } from '../define/account-operation.ts'
import { pagination } from '../define/cursor.ts'
import { described, parameters, shape } from '../define/shape.ts'
import { token } from '../market/tokens/model.ts'
import { activityItem, activityTransfer } from './model.ts'

const mainTransfer = shape('MainTransfer', 'A transfer, and its token.', {
  ...activityTransfer.shape,
  of: described(token.nullable(), 'The token; null for a collectible, and for one without metadata.'),
})

/** An activity as GraphQL has it: all that is known, in the list too. */
export const activityFacts = shape('ActivityFacts', 'An activity, and its main transfer.', {
  ...activityItem.shape,
  main: described(
    mainTransfer.nullable(),
    'The transfer that matters most to the account; null when nothing of it moved.',
  ),
})

/** A page of activities. */
export const activityFactsPage = shape('ActivityFactsPage', 'A page of activities.', {
  provenanceLabelGroups,
  activity: described(z.array(activityFacts), 'The activities of this page, newest first.'),
  pagination,
})

/** Activities without a next page. */
export const pendingFacts = shape('PendingFacts', 'Pending activities.', {
  provenanceLabelGroups,
  pending: described(z.array(activityFacts), 'The activities, the last submitted first.'),
})

/** One activity by its transaction, or by its quote. */
export const findActivityPath = parameters({
  ...accountPath.shape,
  quoteId: described(z.uuid().optional(), 'Id of the quote.'),
  chainId: described(z.int().positive().optional(), 'Chain of the transaction.'),
  txHash: described(
    z
      .string()
      .regex(/^0x[0-9a-f]{64}$/)
      .optional(),
    'Hash of the transaction.',
  ),
})
