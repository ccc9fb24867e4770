import { createStandIn } from '../intents/build-intent.ts'
import { kindOf } from '../kinds/quote-kinds.ts'
import type { SentQuotes } from '../transact.ts'
import type { SwapPreview, SwapPreviewRequest } from './create-previews.ts'

/** In percent: a preview shows any price impact; only a quote demands that the user has seen it. */
const ANY_IMPACT = 100

const KIND = 'swap'

/**
 * Previews a quote of a swap. Nothing is reserved, and no address is issued: a random one replaces the recipient. If
 * the account's funds could not pay, only the venue's price is reported, and nothing is run.
 *
 * @throws ServiceError as the swap's plan and `Quotes.preview` do.
 */
export async function previewSwap(
  quotes: Pick<SentQuotes, 'preview'>,
  accountId: string,
  request: SwapPreviewRequest,
): Promise<SwapPreview> {
  const {
    plan,
    output,
    found: _,
    ...fees
  } = await quotes.preview(accountId, {
    kind: KIND,
    chainId: request.chainId,
    amount: request.amountIn,
    find: async (context) => ({
      plan: await kindOf(KIND).plan(context, {
        ...request,
        kind: KIND,
        destination: undefined,
        standIn: createStandIn(),
        acknowledgedPriceImpact: ANY_IMPACT,
        acknowledgedMatch: undefined,
        acknowledgedContract: undefined,
        decimals: undefined,
        singleAddress: undefined,
        ttl: undefined,
      }),
    }),
  })
  return {
    expectedOutput: output.expected,
    minimumOutput: output.minimum,
    outputToken: output.token,
    members: plan.members,
    ...fees,
  }
}
