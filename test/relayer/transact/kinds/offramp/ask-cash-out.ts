import type { CashOutOptions, CashOutQuote } from '../../../../../schema/client/quotes/cash-out.ts'
import { checkCashOut } from '../../../../../schema/client/quotes/check-cash-out.ts'
import type { WalletSender } from '../../submissions/open-wallet-sender.ts'
import { cashContracts } from './cash-settings.ts'
import type { CashWorld } from './start-cash-world.ts'

/** A cash-out of dollars by Venmo, to a handle. */
export function askedOf(
  { origin, destination, curator }: Pick<CashWorld, 'origin' | 'destination' | 'curator'>,
  amount: bigint,
  {
    payee = 'alice-handle',
    isCrossing = false,
    ...changes
  }: Partial<CashOutOptions> & { isCrossing?: boolean } = {},
): CashOutOptions {
  const { escrow, gatingService, rates } = cashContracts
  const carry = (token: `0x${string}`) => ({ token, decimals: 6 })
  const { spokePool, multicallHandler } = destination.across
  return {
    chainId: origin.chainId,
    token: origin.dollar,
    amount,
    paymentMethod: 'venmo',
    currency: 'USD',
    payee,
    leastRate: 1n,
    maxFee: 5_000_000n,
    venue: { escrow, gatingService, feed: rates, curatorUrl: curator.url },
    ...(isCrossing && {
      crossing: {
        chainId: destination.chainId,
        spokePool,
        multicallHandler,
        carried: [{ input: carry(origin.dollar), output: carry(destination.dollar) }],
      },
    }),
    ...changes,
  }
}

/** The body that asks for it. */
export const bodyOf = (
  { chainId, token, amount, paymentMethod, currency, payee, crossing }: CashOutOptions,
  changes: Record<string, unknown> = {},
) => ({
  type: 'offramp',
  chainId,
  token,
  amount: String(amount),
  paymentMethod,
  currency,
  payee,
  escrowChainId: crossing?.chainId,
  ...changes,
})

/** A quote that the example client would sign. */
export async function quoteCashOut(
  sender: WalletSender,
  asked: CashOutOptions,
  changes: Record<string, unknown> = {},
): Promise<CashOutQuote> {
  const quote = (await sender.quote(bodyOf(asked, changes))) as CashOutQuote
  await checkCashOut(sender.client, quote, asked)
  return quote
}
