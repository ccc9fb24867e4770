import { zeroAddress, type Address, type Hash, type Hex } from 'viem'
import { badRequest } from '../../../errors.ts'
import { askBridge, readFillMs } from '../ask-bridge.ts'
import type { BridgeOffer } from '../../venues/bridge/bridge-venue.ts'
import type { KindContext } from '../quote-kind.ts'
import type { FunderFilter, PaidPart, SpendingPlan } from '../quote-plan.ts'
import { readAllowance } from '../read-allowance.ts'
import type { SalePlace } from './find-sale-place.ts'
import { nobodysDetails } from './register-once.ts'
import { saleOf, type SaleTerms } from './spend-by-selling.ts'
import { createStandIn } from '../../intents/intent.ts'

/** A route of the spent token to the escrow's chain, for an amount. */
export interface SaleCrossing {
  bridge: NonNullable<SalePlace['bridge']>
  /** Deposit with the bridge, smallest unit. */
  inputAmount: bigint
  bridged: BridgeOffer
  estimatedFillMs: number
}

/**
 * Quotes the bridge to the escrow's chain; null if the token is on that chain already. The bridge sees a message with a
 * random address and a random payee.
 * @throws ServiceError `bad-request` BAD_REQUEST for a sale of everything; as the bridge does.
 */
export async function bridgeSale(
  context: KindContext,
  place: SalePlace,
  terms: SaleTerms,
  amount: bigint | 'max',
): Promise<SaleCrossing | null> {
  const { bridge } = place
  if (!bridge) return null
  if (amount === 'max')
    throw badRequest(
      'maxSend: a cash-out that crosses chains needs an amount; max-spendable returns the largest one',
    )
  const bridged = await askBridge(context, bridge, amount, async (outputAmount) =>
    messageFor(place, terms, { depositor: createStandIn(), outputAmount, payeeDetails: nobodysDetails() }),
  )
  if (!bridged) throw new Error('a sale over a bridge has no message')
  return { bridge, inputAmount: amount, bridged, estimatedFillMs: await readFillMs(context, bridge, bridged) }
}

/**
 * Plans a deposit with the bridge, whose message opens the sale in the depositor's name. If the message fails, the
 * bridged token goes to the depositor's address.
 */
export function spendByCrossing(
  { sending }: KindContext,
  place: SalePlace,
  terms: SaleTerms,
  { bridge, inputAmount, bridged }: SaleCrossing,
  { funders, payeeOf }: { funders: FunderFilter; payeeOf: () => Promise<Hash> },
): SpendingPlan {
  const { venue, route } = bridge
  const { inputToken, outputToken, spender, handler } = route
  const calls = async ({ payer: depositor, amount }: PaidPart, payeeDetails: Hash) => {
    const allowance = await readAllowance(sending.chain.client, {
      token: inputToken,
      owner: depositor,
      spender,
    })
    // Smaller amounts are run only to measure gas.
    const isWhole = amount === inputAmount
    const { outputAmount, quoteTimestamp, fillDeadline } = bridged
    const deposit = {
      provider: venue.provider,
      originChainId: sending.chainId,
      destinationChainId: place.at.config.chainId,
      depositor,
      recipient: handler,
      exclusiveRelayer: zeroAddress,
      inputToken,
      outputToken,
      inputAmount: amount,
      outputAmount: isWhole ? outputAmount : (outputAmount * amount) / inputAmount,
      quoteTimestamp,
      fillDeadline,
      exclusivityDeadline: 0,
      message: messageFor(place, terms, { depositor, outputAmount, payeeDetails }),
    }
    return venue.depositCalls(route, deposit, { isCoin: false, allowance })
  }
  return {
    token: inputToken,
    funding: { from: 'holdings', funders, mayJoin: false },
    isNativeAtPar: false,
    gasKey: ['offramp', venue.provider, inputToken, place.offer.escrow].join(' '),
    trial: { amount: inputAmount, calls: (part) => calls(part, nobodysDetails()) },
    calls: async (part) => calls(part, await payeeOf()),
  }
}

/**
 * Encodes the handler's calls that open the sale for the depositor, who gets the rest, and everything if the calls
 * fail.
 */
function messageFor(
  place: SalePlace,
  terms: SaleTerms,
  { depositor, outputAmount, payeeDetails }: { depositor: Address; outputAmount: bigint; payeeDetails: Hash },
): Hex {
  const { bridge, venue, at } = place
  if (!bridge) throw new Error('a cash-out on the escrow’s own chain has no bridge')
  const sale = saleOf(place, terms, { amount: outputAmount, payeeDetails })
  return bridge.venue.encodeMessage({ calls: venue.openForCalls(at, sale, depositor), recipient: depositor })
}
