import { getAddress } from 'viem'
import type { ActivitySwap, TokenAmount } from './activity.ts'

/** An exchange that an account asked for by a quote. Amounts in the smallest unit. */
export interface Exchange {
  chainId: number
  token: string
  recipient: string
  /** What the quote promised for all that it spends; null for a quote that exchanges nothing. */
  output: { token: string; amount: bigint } | null
  /** What leaves each address, fees included, and the fees. */
  payments: readonly { address: string; amount: bigint; fee: bigint }[]
}

/**
 * Describes what an exchange gave and received. The received amount is what was seen to arrive, else what was
 * promised: native coins are not seen on chains without traces or while the exchange is under way.
 *
 * @param executed The addresses whose intents are part of it.
 * @param arrived What the recipient was seen to receive of the output's token.
 */
export function describeExchange(
  { chainId, token, recipient, output, payments }: Exchange,
  { executed, arrived }: { executed: ReadonlySet<string>; arrived: bigint },
  isOwnRecipient: boolean,
  amountOf: (chainId: number, token: string, value: bigint) => TokenAmount,
): ActivitySwap | null {
  if (!output) return null
  const givenBy = (those: typeof payments) => those.reduce((sum, { amount, fee }) => sum + amount - fee, 0n)
  const given = givenBy(payments.filter(({ address }) => executed.has(address)))
  const promised = (output.amount * given) / (givenBy(payments) || 1n)
  return {
    source: amountOf(chainId, token, given),
    dest: amountOf(chainId, output.token, arrived > 0n ? arrived : promised),
    outputRecipient: getAddress(recipient),
    isOwnRecipient,
  }
}
