import { formatUnits } from 'viem'
import type { CashSummary } from '../../db/transact/cash-orders.ts'
import { cashProgressOf } from '../transact/cash-orders/cash-state.ts'
import type { ActivityOffRamp, TokenAmount } from './activity.ts'
import type { OrderChain } from './describe-order.ts'

/** Returns the tokens that the description of a cash-out names, besides the spent one. */
export const tokensOfCash = ({ sourceChainId, sourceToken, chainId, token }: CashSummary) => [
  { chainId: sourceChainId, token: sourceToken },
  { chainId, token },
]

/**
 * Describes a cash-out from its row.
 * @param feeToken The token that the quote charged fees in.
 */
export function describeOffRamp(
  cash: CashSummary,
  feeToken: { chainId: number; token: string },
  chainOf: (chainId: number) => OrderChain | undefined,
  amountOf: (chainId: number, token: string, value: bigint) => TokenAmount,
): ActivityOffRamp | null {
  const progress = cashProgressOf(cash)
  if (!progress) return null
  const { chainId, escrow, token, deposited, serviceFee } = cash
  const held = amountOf(chainId, token, deposited > 0n ? deposited : cash.amount)
  // A chain that is no longer configured has no name.
  const nameOf = (id: number) => chainOf(id)?.name ?? String(id)
  const { depositId } = progress
  return {
    ...progress,
    peerDepositId: depositId === null ? null : `${escrow.toLowerCase()}_${depositId}`,
    peerUrl: depositId === null ? null : urlOf(chainOf(chainId), escrow, depositId),
    paymentMethod: cash.paymentMethod,
    source: amountOf(cash.sourceChainId, cash.sourceToken, cash.sourceAmount),
    sourceChainName: nameOf(cash.sourceChainId),
    escrow: held,
    escrowChainName: nameOf(chainId),
    estimatedFiatAmount: held.token && writeMoney(cash.fiatAmount, held.token.decimals, cash.currency),
    // Four decimals suffice for a progress bar, and a number holds them.
    progress: Number((cash.filled * 10_000n) / held.value) / 10_000,
    fromIncognito: cash.fromIncognito,
    route: describeRoute(cash, held.token?.symbol ?? 'tokens', nameOf),
    serviceFee: serviceFee === null ? null : amountOf(feeToken.chainId, feeToken.token, serviceFee),
  }
}

/** Returns the deposit's page; null if the escrow is no longer configured. */
function urlOf(chain: OrderChain | undefined, escrow: string, depositId: string): string | null {
  const peer = chain?.venues.peer
  if (!peer?.depositUrl || peer.escrow !== escrow) return null
  return peer.depositUrl.replaceAll('{escrow}', escrow.toLowerCase()).replaceAll('{depositId}', depositId)
}

/** Formats money with two decimals and its currency, rounded down. */
function writeMoney(amount: bigint, decimals: number, currency: string): string {
  const cents = (amount * 100n) / 10n ** BigInt(decimals)
  const [whole, rest = ''] = formatUnits(cents, 2).split('.')
  return `${whole}.${rest.padEnd(2, '0')} ${currency}`
}

function describeRoute(
  { bridgeProvider, paymentMethod, currency, sourceChainId, chainId }: CashSummary,
  symbol: string,
  nameOf: (chainId: number) => string,
): ActivityOffRamp['route'] {
  const steps = [
    ...(bridgeProvider === null ? [] : [{ id: 'bridge', label: `${bridgeProvider} to ${nameOf(chainId)}` }]),
    { id: 'deposit', label: `${symbol} in escrow on ${nameOf(chainId)}` },
    { id: 'buyer', label: `A buyer sends ${currency}` },
    { id: 'payout', label: `${currency} by ${paymentMethod}` },
  ]
  const from = bridgeProvider === null ? '' : ` after it came from ${nameOf(sourceChainId)}`
  const description = `${symbol} is held in escrow on ${nameOf(chainId)}${from}, until buyers have paid ${currency} by ${paymentMethod}.`
  return { steps, description }
}
