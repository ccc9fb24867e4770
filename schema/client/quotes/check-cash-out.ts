// SPDX-License-Identifier: MIT
// A client's checks before it signs a cash-out: of the calls themselves, not of the quote's claims about them.
import { escrowAbi } from '../chain/abis.ts'
import { isAddressEqual, parseEther, zeroAddress, type Address } from 'viem'
import type { CashOutOptions, CashOutQuote, WithdrawalQuote, WithdrawCashOutOptions } from './cash-out.ts'
import { demandCost, demandFew, demandParts } from './check-send.ts'
import type { Client } from '../account/open-client.ts'
import { decodeAny, readPayment } from '../chain/decode-call.ts'
import { decodeSale, decodeSaleOfFill, type DecodedSale } from './decode-sale.ts'
import { readCanonicalCalls, type Attribution } from '../chain/read-canonical-calls.ts'
import { AN_HOUR, readOrders, type Orders } from './read-orders.ts'
import { approve, type Approved } from './sign-orders.ts'

/**
 * @throws Error unless the quote is the service's, and its one intent puts exactly the asked amount into the known
 * escrow. The deposit must be in the name of the paying address, for buyers who pay at least the least rate by the
 * asked method. The intent may also pay a fee, and do nothing else.
 */
export async function checkCashOut(
  client: Client,
  quote: CashOutQuote,
  asked: CashOutOptions,
): Promise<Approved> {
  const orders = await readOrders(client, quote, client.chainOf(asked.chainId), AN_HOUR)
  demandFew(quote, orders, asked)
  const { eoa, actions, fee, expiry } = await readIntent(client, orders, asked.token)
  const sale = asked.crossing
    ? decodeSaleOfFill(actions, { ...asked, crossing: asked.crossing, depositor: eoa })
    : decodeSale(actions, asked, 'createDeposit')
  if (asked.crossing) checkDeadline(sale, quote, { eoa, expiry })
  else if (sale.amount !== asked.amount) throw new Error('the escrow takes another amount than is sold')
  if (sale.minimumRate < asked.leastRate) throw new Error('buyers could pay less than was asked for')
  if (sale.payeeDetails !== quote.payeeDetails)
    throw new Error('buyers would pay another than the quote says')
  if (quote.escrowChainId !== (asked.crossing?.chainId ?? asked.chainId))
    throw new Error('the escrow is on another chain')
  if ([quote.expectedOutput, quote.minimumOutput].some((output) => BigInt(output) !== sale.amount))
    throw new Error('the escrow gets another amount than the quote says')
  if (quote.paymentMethod !== asked.paymentMethod || quote.currency !== asked.currency)
    throw new Error('the quote sells by another method or in another currency')
  if (sale.minimumRate !== parseEther(quote.minimumConversionRate))
    throw new Error('buyers could pay less than the quote says')
  const carried = asked.crossing?.carried.find(({ input }) => isAddressEqual(input.token, asked.token))
  if (!isAddressEqual(quote.outputToken, carried?.output.token ?? asked.token))
    throw new Error('the quote sells another token')
  if (!isAddressEqual(quote.outputRecipient, asked.venue.escrow))
    throw new Error('the quote pays another contract than the escrow')
  demandCost(quote, { spent: asked.amount, fee, limits: asked })
  await checkPayee(sale, asked)
  return approve(orders)
}

/** Only the curator knows the hash's payee; the same handle has the same hash always. */
async function checkPayee(
  { payeeDetails }: DecodedSale,
  { venue: { curatorUrl }, paymentMethod, payee }: CashOutOptions,
): Promise<void> {
  if (curatorUrl === undefined) return
  const response = await fetch(`${curatorUrl}/v2/makers/${paymentMethod}/${payeeDetails}`)
  const { responseObject } = (await response.json()) as { responseObject?: { offchainId?: string } }
  if (responseObject?.offchainId !== payee) throw new Error('buyers would pay somebody else')
}

/** @throws Error unless the quote takes back the asked amount, and pays a fee out of it, and nothing else. */
export async function checkCashOutWithdrawal(
  client: Client,
  quote: WithdrawalQuote,
  { chainId, depositId, amount, token, venue, maxFee }: WithdrawCashOutOptions,
): Promise<Approved> {
  const orders = await readOrders(client, quote, client.chainOf(chainId), AN_HOUR)
  demandFew(quote, orders, { maxFee })
  const { eoa, actions, fee } = await readIntent(client, orders, token)
  const [call, ...others] = actions
  if (!call || others.length > 0 || !isAddressEqual(call.to, venue.escrow) || call.value !== 0n)
    throw new Error('the intent does something else than take a deposit back')
  const { functionName, args } = decodeAny(escrowAbi, call.data)
  // An amount that leaves nothing closes the deposit, as if none was named.
  const withdrawn = BigInt(quote.withdrawnAmount)
  const isAll = functionName === 'withdrawDeposit' && (amount === undefined || amount === withdrawn)
  if (!isAll && (amount === undefined || functionName !== 'removeFunds'))
    throw new Error(`the intent calls ${functionName}`)
  const [id, taken] = args as readonly [bigint, bigint?]
  if (String(id) !== depositId.split('_').at(-1)) throw new Error('another deposit would be taken back')
  if (!isAll && (taken !== amount || withdrawn !== amount))
    throw new Error('another amount would be taken back')
  if (quote.depositId !== depositId || !isAddressEqual(quote.outputToken, token))
    throw new Error('the quote is of another deposit')
  if (!isAddressEqual(quote.outputRecipient, eoa)) throw new Error('it would come back to somebody else')
  demandParts(quote.fees)
  if (fee > maxFee) throw new Error(`the fee is ${fee}, and at most ${maxFee} is accepted`)
  if (fee !== BigInt(quote.fees.total) || withdrawn !== BigInt(quote.expectedOutput) + fee)
    throw new Error('it costs another amount than the quote says')
  return approve(orders)
}

/** The calls of the one intent, and the fee that the last of them pays. */
async function readIntent(client: Client, { intents: [intent] }: Orders, token: Address) {
  if (!intent) throw new Error('the cash-out has no intent')
  const published = await client.ask<Attribution>('GET', '/v1/.well-known/attribution')
  const calls = readCanonicalCalls(intent.calls, intent.caveats, published)
  const [last, actions] = [calls.at(-1), calls.slice(0, -1)]
  if (!last) throw new Error('the intent pays no fee')
  return { eoa: intent.eoa, expiry: intent.expiry, actions, fee: readPayment(last, token).amount }
}

/** Checks the parts that only a cash-out on another chain has: the refund address and the fill deadline. */
function checkDeadline(
  { fillDeadline = 0 }: DecodedSale,
  quote: CashOutQuote,
  { eoa, expiry }: { eoa: Address; expiry: bigint },
): void {
  if (!isAddressEqual(quote.recoveryRecipient ?? zeroAddress, eoa))
    throw new Error('a refund would go to somebody else')
  if (Date.parse(quote.fillDeadline ?? '') !== fillDeadline * 1_000 || Number(expiry) >= fillDeadline)
    throw new Error('the deposit has another deadline than the quote says, or none that can be kept')
}
