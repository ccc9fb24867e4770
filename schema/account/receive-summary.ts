import type { ReceiveSummary } from '../../relayer/account/balances/balances.ts'
import type { TrustedReceives } from '../../relayer/account/provenance/provenance.ts'
import type { AnswerOf } from '../define/encode.ts'
import { z } from 'zod'
import { described, shape } from '../define/shape.ts'

const count = z.int()

/** How the holdings of an address arrived. */
export const receiveSummary = shape('ReceiveSummary', 'How often, and in what, an address was paid.', {
  receiveCount: described(count, 'Receipts of the address, without those that look like spam.'),
  rawReceiveCount: described(count, 'All receipts of the address, likely spam included.'),
  trustedReceiveActionCount: described(
    count,
    'Number of receipts of at least a cent that are not likely spam. The net receipt of a token in one transaction counts once.',
  ),
  trustedReceiveActionTypes: described(
    z.array(z.string()),
    'Kinds of activity that brought it, each once, sorted: RECEIVE is money from others.',
  ),
  assetCount: described(count, 'Different tokens that were received, without likely spam.'),
  chainCount: described(count, 'Different chains on which they were received.'),
})

/** How an address was paid, and by which kinds of activity. */
export const describeReceives = (
  summary: ReceiveSummary,
  { count: trusted, types }: TrustedReceives,
): AnswerOf<typeof receiveSummary> => ({
  ...summary,
  trustedReceiveActionCount: trusted,
  trustedReceiveActionTypes: types,
})
