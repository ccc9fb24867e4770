import { listOffers } from '../kinds/offramp/list-offers.ts'
import { kindOf } from '../kinds/quote-kinds.ts'
import type { Quotes } from '../transact.ts'
import { formatFiat } from '../venues/cash-out/format-fiat.ts'
import type { OfframpPreview, OfframpPreviewRequest } from './previews.ts'

const KIND = 'offramp'

/**
 * Previews a cash-out and lists the other offers. Nothing is reserved or stored. No payee is disclosed: a random hash
 * replaces it. If the account's funds could not pay, nothing is run.
 *
 * @throws ServiceError as the cash-out's plan and `Quotes.preview` do.
 */
export async function previewOfframp(
  quotes: Pick<Quotes, 'preview'>,
  accountId: string,
  request: OfframpPreviewRequest,
): Promise<OfframpPreview> {
  const { chainId, token, amount, escrowChainId, spendableAddresses } = request
  const { plan, output, found, ...fees } = await quotes.preview(accountId, {
    kind: KIND,
    chainId,
    amount,
    async find(context) {
      const offers = await listOffers(context, request)
      const planned = await kindOf(KIND).plan(context, {
        kind: KIND,
        chainId,
        token,
        amount,
        maxSend: false,
        ...offers.chosen,
        payee: null,
        escrowChainId,
        decimals: undefined,
        spendableAddresses,
        singleAddress: undefined,
        ttl: undefined,
      })
      return { plan: planned, ...offers }
    },
  })
  const { methods, chosen, at } = found
  const { rate, minimumRate, paymentMethod, currency } = chosen
  const worth = (of: bigint) => formatFiat(output.expected, output.token.decimals, { rate: of, currency })
  return {
    methods,
    paymentMethod,
    currency,
    escrowChainId: at,
    escrowToken: output.token,
    escrowAmount: output.expected,
    rate,
    minimumRate,
    estimatedFiatAmount: worth(rate),
    minimumFiatAmount: worth(minimumRate),
    members: plan.members,
    ...fees,
  }
}
