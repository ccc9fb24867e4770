// SPDX-License-Identifier: MIT
// The quote of the calls of an app: its fee is shown before the user decides, and that very quote is signed.
import type { Address } from 'viem'
import type { Client } from '../account/open-client.ts'
import { checkCalls, type AskedCalls } from '../quotes/check-calls.ts'
import type { Quote } from '../quotes/send.ts'
import type { Approved } from '../quotes/sign-orders.ts'

/** The price of an app's calls. */
export interface CallsPrice {
  /** In wei; the address of the app pays it. */
  fee: bigint
  /** After this moment the service does not accept the quote. */
  expiresAt: Date
}

interface AppCalls extends AskedCalls {
  origin: string
}

/** The quotes of one request: at most one of them reserves money. */
export interface CallsOffer {
  /**
   * Asks for a quote and checks it; an earlier one is given back.
   * @throws ServiceRefusal; Error if the quote does something else than the calls.
   */
  price(): Promise<CallsPrice>
  /** The checked quote of the last price; without one it asks now. */
  take(): Promise<Approved>
  /** Gives the reserved money back. A quote that was submitted stays. */
  drop(): Promise<void>
}

/** Creates the offer; it asks the service for nothing yet. */
export function createCallsOffer(client: Client, asked: AppCalls): CallsOffer {
  const { chain, origin, from, calls } = asked
  let quoteId: string | null = null
  let approved: Approved | null = null

  async function drop(): Promise<void> {
    const last = quoteId
    quoteId = approved = null
    if (last === null) return
    const path = `/v1/accounts/${client.accountId}/unlock`
    await client.ask('POST', path, { quoteId: last }).catch(() => undefined)
  }

  async function price(): Promise<CallsPrice> {
    await drop()
    const body = {
      type: 'dapp_call',
      chainId: chain.chainId,
      origin,
      connectedAddress: from satisfies Address,
      calls: calls.map((call) => ({ ...call, value: String(call.value) })),
    }
    const path = `/v1/accounts/${client.accountId}/quote`
    const quote = await client.ask<Quote & { expiresAt: string }>('POST', path, body)
    quoteId = quote.quoteId
    approved = await checkCalls(client, quote, asked)
    return { fee: BigInt(quote.fees.total), expiresAt: new Date(quote.expiresAt) }
  }

  async function take(): Promise<Approved> {
    if (!approved) await price()
    return approved!
  }

  return { price, take, drop }
}
