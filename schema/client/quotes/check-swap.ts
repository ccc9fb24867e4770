// SPDX-License-Identifier: MIT
// A client's checks before it signs a swap: of the calls themselves, not of the quote's claims about them.
import { isAddress, isAddressEqual, zeroAddress, type Address } from 'viem'
import { demandCost, demandFew, sum } from './check-send.ts'
import { demandOwn, type Client } from '../account/open-client.ts'
import { readPayment } from '../chain/decode-call.ts'
import { decodeCrossing, type DecodedCrossing } from './decode-crossing.ts'
import { decodeSwap, type DecodedSwap } from './decode-swap.ts'
import { readCanonicalCalls, type Attribution } from '../chain/read-canonical-calls.ts'
import { A_DAY, AN_HOUR, readOrders } from './read-orders.ts'
import { settleSwap } from './settle-swap.ts'
import { approve, type Approved } from './sign-orders.ts'
import type { SwapOptions, SwapQuote } from './swap.ts'

/** The highest slippage that the service may choose. */
const MAX_AUTO_SLIPPAGE_BPS = 300
/** The same if the filler of a deposit makes the exchange and could keep the difference. */
const MAX_AUTO_SLIPPAGE_AFTER_BPS = 50

/**
 * @throws Error unless the quote is the service's, and its intents swap the asked amount for at least the minimum. The
 * output must go to the account or the destination, with approvals of exactly that amount to the known contracts. The
 * intents may also pay fees, and do nothing else.
 */
export async function checkSwap(client: Client, quote: SwapQuote, options: SwapOptions): Promise<Approved> {
  const asked = settleSwap(client, options)
  // Wrapping has no price; that the calls only wrap is checked below.
  const longest = ['WRAP', 'UNWRAP'].includes(quote.routing) ? A_DAY : AN_HOUR
  const orders = await readOrders(client, quote, client.chainOf(asked.chainId), longest)
  demandFew(quote, orders, asked)
  checkTerms(quote, asked)
  await checkRecipient(client, quote, asked)
  const published = await client.ask<Attribution>('GET', '/v1/.well-known/attribution')
  const parts = orders.intents.map(({ eoa, calls: made, caveats, expiry }) => {
    const calls = readCanonicalCalls(made, caveats, published)
    const [fee, ...actions] = [calls.at(-1), ...calls.slice(0, -1)]
    if (!fee) throw new Error('the intent pays no fee')
    const paid = { fee: readPayment(fee, asked.tokenIn).amount }
    const { crossing } = asked
    if (!crossing) return { ...decodeSwap(actions, quote.routing, asked), ...paid }
    const decoded = decodeCrossing(actions, { ...asked, crossing })
    checkCrossing(decoded, quote, { eoa, expiry, slippageBps: asked.slippageBps })
    return { ...decoded, ...paid }
  })
  checkParts(parts, quote, asked)
  return approve(orders)
}

/** Checks the parts that only a swap to another chain has: the refund address and the fill deadline. */
function checkCrossing(
  { routing, depositor, fillDeadline, swapsAfter }: DecodedCrossing,
  quote: SwapQuote,
  { eoa, expiry, slippageBps }: { eoa: Address; expiry: bigint; slippageBps: number | undefined },
): void {
  if (quote.intents.length > 1) throw new Error('a deposit is paid by more than one address')
  if (quote.routing !== routing) throw new Error('the calls take another way than the quote says')
  const isBack = isAddressEqual(depositor, eoa) && isAddressEqual(quote.recoveryRecipient ?? zeroAddress, eoa)
  if (!isBack) throw new Error('a refund would go to somebody else')
  if (Date.parse(quote.fillDeadline ?? '') !== fillDeadline * 1_000 || Number(expiry) >= fillDeadline)
    throw new Error('the deposit has another deadline than the quote says, or none that can be kept')
  if (swapsAfter && slippageBps === undefined && quote.slippageBps > MAX_AUTO_SLIPPAGE_AFTER_BPS)
    throw new Error('the quote has more slippage than was asked for')
}

/** Checks the quote's claims. */
function checkTerms(quote: SwapQuote, { tokenOut, slippageBps, leastOutput }: SwapOptions): void {
  if (!isAddressEqual(quote.outputToken, tokenOut)) throw new Error('the quote gives another token')
  if (BigInt(quote.minimumOutput) < leastOutput) throw new Error('the swap may give less than was accepted')
  const isAtPar = ['WRAP', 'UNWRAP', 'BRIDGE'].includes(quote.routing)
  const most = isAtPar ? 0 : (slippageBps ?? MAX_AUTO_SLIPPAGE_BPS)
  if (quote.slippageBps > most) throw new Error('the quote has more slippage than was asked for')
  const least = (BigInt(quote.expectedOutput) * BigInt(10_000 - quote.slippageBps)) / 10_000n
  if (BigInt(quote.minimumOutput) < least) throw new Error('the minimum is lower than the slippage allows')
}

/** The destination that was asked for, or an address whose key this client can compute. */
async function checkRecipient(client: Client, quote: SwapQuote, { destination }: SwapOptions): Promise<void> {
  const { outputRecipient } = quote
  if (destination !== undefined) {
    if (isAddressEqual(outputRecipient, destination)) return
    throw new Error('the output goes to somebody else')
  }
  if (!isAddress(outputRecipient)) throw new Error('the output has no recipient')
  const path = `/v1/accounts/${client.accountId}/addresses?address=${outputRecipient}`
  const { items } = await client.ask<{ items: { nonce: number }[] }>('GET', path)
  const [found] = items
  if (!found) throw new Error('the output goes to no address of the account')
  demandOwn(client, String(found.nonce), outputRecipient)
}

/** The sum of all intents. */
function checkParts(
  parts: readonly (DecodedSwap & { fee: bigint })[],
  quote: SwapQuote,
  asked: SwapOptions,
): void {
  const isElsewhere = ({ recipient }: { recipient: Address }) =>
    !isAddressEqual(recipient, quote.outputRecipient) || isAddressEqual(recipient, zeroAddress)
  if (parts.some(isElsewhere)) throw new Error('a call gives the output to somebody else')
  const given = sum(parts.map((part) => part.amountIn))
  if (given !== asked.amountIn) throw new Error('the intents swap another amount')
  const minimum = sum(parts.map((part) => part.minimum))
  // Each part's minimum is rounded down.
  if (minimum > BigInt(quote.minimumOutput) || minimum + BigInt(parts.length) <= BigInt(quote.minimumOutput))
    throw new Error('the calls accept another minimum than the quote says')
  demandCost(quote, { spent: given, fee: sum(parts.map(({ fee }) => fee)), limits: asked })
}
