import type { GasMeasures } from '../fees/measure-gas.ts'
import { openSendingChain } from '../intents/sending-chain.ts'
import { listOffers } from '../kinds/offramp/list-offers.ts'
import { kindOf } from '../kinds/quote-kinds.ts'
import type { OfframpPreview, OfframpPreviewRequest } from '../transact.ts'
import { formatFiat } from '../venues/cash-out/format-fiat.ts'
import { previewPlan } from './preview-plan.ts'
import type { QuoteParts } from './quote-parts.ts'

const KIND = 'offramp'

/**
 * What a cash-out would bring now, and what else is offered. Nothing is reserved or kept, and nobody is told of a payee: a
 * random hash stands for one. Where the account's funds could not pay, nothing is run.
 *
 * @throws ServiceError as the cash-out's plan and previewPlan do.
 */
export async function previewOfframp(
  parts: QuoteParts & { gas: GasMeasures },
  accountId: string,
  request: OfframpPreviewRequest,
): Promise<OfframpPreview> {
  const { chainId, token, amount, escrowChainId, spendableAddresses } = request
  const sending = await openSendingChain(parts, chainId)
  const context = { ...parts, accountId, sending }
  const { methods, chosen, at } = await listOffers(context, request)
  const planned = await kindOf(KIND).plan(context, {
    kind: KIND,
    chainId,
    token,
    amount,
    maxSend: false,
    ...chosen,
    payee: null,
    escrowChainId,
    decimals: undefined,
    spendableAddresses,
    singleAddress: undefined,
    ttl: undefined,
  })
  const { plan, output, ...fees } = await previewPlan(parts, accountId, {
    sending,
    kind: KIND,
    plan: planned,
    amount,
  })
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
