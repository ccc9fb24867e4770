// SPDX-License-Identifier: MIT
// The checks of a client before it signs calls that a page requested.
import { isAddressEqual, zeroAddress, type Address } from 'viem'
import { demandCost, demandFew, sum } from './check-send.ts'
import type { Client } from '../account/open-client.ts'
import { readPayment } from '../chain/decode-call.ts'
import type { KnownChain } from '../chain/known-chain.ts'
import type { Call } from '../chain/read-canonical-calls.ts'
import { AN_HOUR, readOrders } from './read-orders.ts'
import type { Quote } from './send.ts'
import { approve, type Approved } from './sign-orders.ts'

/** Calls that a page requested, and the wallet's own limits. */
export interface AskedCalls {
  chain: KnownChain
  /** The one address that calls, and pays the fee. */
  from: Address
  calls: readonly Call[]
  /** The highest fee to accept, in wei. */
  maxFee: bigint
}

/** @throws Error unless the quote is the service's, and makes exactly these calls from this address, and one fee. */
export async function checkCalls(
  client: Client,
  quote: Quote,
  { chain, from, calls, maxFee }: AskedCalls,
): Promise<Approved> {
  const orders = await readOrders(client, quote, chain, AN_HOUR)
  demandFew(quote, orders, { maxFee })
  const [intent] = orders.intents
  if (!intent || !isAddressEqual(intent.eoa, from))
    throw new Error('another address than the one that was asked for would act')
  if (!calls.every((call, place) => isSameCall(call, intent.calls[place])))
    throw new Error('the intent makes other calls than were asked for')
  const fees = intent.calls.slice(calls.length).map((call) => readPayment(call, zeroAddress).amount)
  if (fees.length > 1) throw new Error('the intent pays more than one fee')
  demandCost(quote, { spent: sum(calls.map(({ value }) => value)), fee: sum(fees), limits: { maxFee } })
  return approve(orders)
}

const isSameCall = (asked: Call, made: Call | undefined) =>
  made !== undefined &&
  isAddressEqual(asked.to, made.to) &&
  asked.value === made.value &&
  asked.data.toLowerCase() === made.data.toLowerCase()
