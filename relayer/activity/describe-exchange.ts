import { getAddress } from 'viem'
import type { ActivitySwap, TokenAmount } from './activity.ts'

/** An exchange by a quote. Amounts in the smallest unit. */
export interface Exchange {
  chainId: number
  token: string
  recipient: string
  /** The promised output for all that the quote spends; null for a quote that exchanges nothing. */
  output: { token: string; amount: bigint } | null
  /** The amount that leaves each address, fees included, and the fees. */
  payments: readonly { address: string; amount: bigint; fee: bigint }[]
}

/**
 * Describes the given and received amounts of an exchange. The received amount is the observed one, else the promised
 * one. Native coins are not observed on chains without traces, or while the exchange is pending.
 *
 * @param executed The addresses whose intents are part of it.
 * @param arrived The amount of the output's token that the recipient was seen to receive.
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
