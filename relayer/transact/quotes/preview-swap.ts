import { randomBytes } from 'node:crypto'
import { bytesToHex, getAddress } from 'viem'
import type { GasMeasures } from '../fees/measure-gas.ts'
import { openSendingChain } from '../intents/sending-chain.ts'
import { kindOf } from '../kinds/quote-kinds.ts'
import type { SwapPreview, SwapPreviewRequest } from '../transact.ts'
import { previewPlan } from './preview-plan.ts'
import type { QuoteParts } from './quote-parts.ts'

/** In percent: a preview shows any price impact, a quote asks whether the user has seen it. */
const ANY_IMPACT = 100

const KIND = 'swap'

/**
 * What a quote of a swap would say now. Nothing is reserved, and no address is issued: a random one stands for the
 * recipient. Where the account's funds could not pay, the venue's price alone is told, and nothing is run.
 *
 * @throws ServiceError as the swap's plan and previewPlan do.
 */
export async function previewSwap(
  parts: QuoteParts & { gas: GasMeasures },
  accountId: string,
  request: SwapPreviewRequest,
): Promise<SwapPreview> {
  const sending = await openSendingChain(parts, request.chainId)
  const planned = await kindOf(KIND).plan(
    { ...parts, accountId, sending },
    {
      ...request,
      kind: KIND,
      destination: undefined,
      standIn: getAddress(bytesToHex(randomBytes(20))),
      acknowledgedPriceImpact: ANY_IMPACT,
      acknowledgedMatch: undefined,
      acknowledgedContract: undefined,
      decimals: undefined,
      singleAddress: undefined,
      ttl: undefined,
    },
  )
  const { amountIn: amount } = request
  const { plan, output, ...fees } = await previewPlan(parts, accountId, {
    sending,
    kind: KIND,
    plan: planned,
    amount,
  })
  return {
    expectedOutput: output.expected,
    minimumOutput: output.minimum,
    outputToken: output.token,
    members: plan.members,
    ...fees,
  }
}
