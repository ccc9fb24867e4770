// SPDX-License-Identifier: MIT
// The checks of a client before it signs a payment. A quote may be forged, or may show one payment and have another signed.
// The other kinds have their own files, which build on this one.
import { isAddress, isAddressEqual } from 'viem'
import type { Client } from '../account/open-client.ts'
import { readPayment } from '../chain/decode-call.ts'
import { A_DAY, readOrders, type Orders } from './read-orders.ts'
import type { Quote, SendOptions, SpendLimits } from './send.ts'
import { approve, type Approved } from './sign-orders.ts'

/** @throws Error unless the quote is the service's, and makes the requested payment with an accepted fee and nothing else. */
export async function checkSend(client: Client, quote: Quote, asked: SendOptions): Promise<Approved> {
  const { token, amount } = asked
  const orders = await readOrders(client, quote, client.chainOf(asked.chainId), A_DAY)
  demandFew(quote, orders, asked)
  const told = [quote.expectedOutput, quote.minimumOutput].map(BigInt)
  if (!isAddressEqual(quote.outputToken, token) || told.some((output) => output !== amount))
    throw new Error('the quote sends something else')
  await demandRecipient(quote, asked)
  const parts = orders.intents.map(({ calls }) => {
    const [fee, ...paid] = calls.map((call) => readPayment(call, token)).toReversed()
    if (!fee || paid.length > 1) throw new Error('an intent makes other payments')
    if (paid.some(({ to }) => !isAddressEqual(to, quote.outputRecipient)))
      throw new Error('an intent pays somebody else')
    return { paid: sum(paid.map((one) => one.amount)), fee: fee.amount }
  })
  if (sum(parts.map(({ paid }) => paid)) !== amount)
    throw new Error('the intents pay the recipient another amount')
  demandCost(quote, { spent: amount, fee: sum(parts.map(({ fee }) => fee)), limits: asked })
  return approve(orders)
}

/** The recipient in full: an address that is alike at both ends is another address. */
async function demandRecipient(quote: Quote, { destination, confirmRecipient }: SendOptions): Promise<void> {
  const { outputRecipient } = quote
  const isAsked = isAddress(destination, { strict: false })
    ? isAddressEqual(outputRecipient, destination)
    : await confirmRecipient?.(outputRecipient)
  if (!isAsked) throw new Error('the quote pays somebody else')
}

/** @throws Error unless no more addresses pay together than was accepted, and the quote says so. */
export function demandFew(quote: Quote, { intents }: Orders, { maxAddresses = 1 }: SpendLimits): void {
  if (intents.length === 0) throw new Error('the quote has nothing signed')
  if (intents.length > maxAddresses) throw new Error('more addresses would pay together than was accepted')
  const told = quote.fundingCaveats.find(({ kind }) => kind === 'addresses_joined')?.addressCount ?? 1
  if (told !== intents.length) throw new Error('the quote hides how many addresses it joins')
}

/**
 * @param paid `spent` is the amount that leaves the addresses without the fee.
 * @throws Error unless the fee is no higher than accepted, and the sums are those of the quote.
 */
export function demandCost(
  { amountIn, fees, selectedFundingSources }: Quote,
  { spent, fee, limits: { maxFee } }: { spent: bigint; fee: bigint; limits: SpendLimits },
): void {
  if (fee > maxFee) throw new Error(`the fee is ${fee}, and at most ${maxFee} is accepted`)
  if (fee !== BigInt(fees.total) || spent + fee !== BigInt(amountIn))
    throw new Error('the intents cost something else than the quote says')
  demandParts(fees)
  demandTaken(selectedFundingSources, BigInt(amountIn))
}

/** The shown amounts of the paying addresses add up to the whole payment. */
export function demandTaken(sources: Quote['selectedFundingSources'], amountIn: bigint): void {
  if (sum(sources.map(({ amount }) => BigInt(amount))) !== amountIn)
    throw new Error('the addresses pay something else than the quote says')
}

/** The shown parts of a fee add up to it. */
export function demandParts({ network, service, vetting, deposit, total }: Quote['fees']): void {
  if (sum([network, service, vetting, deposit].map(BigInt)) !== BigInt(total))
    throw new Error('the parts of the fee are not the fee')
}

export const sum = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((total, amount) => total + amount, 0n)
