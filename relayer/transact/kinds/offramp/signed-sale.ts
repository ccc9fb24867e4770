import type { CommonQueryMethods } from 'slonik'
import { insertBridgeOrder } from '../../../../db/transact/bridge-orders.ts'
import { insertCashOrder } from '../../../../db/transact/cash-orders.ts'
import type { Call } from '../../intents/intent.ts'
import { findBridgeDeposit, readBridgeMessage, type FoundDeposit } from '../../venues/bridge/bridge-venues.ts'
import type { OpenedSale } from '../../venues/cash-out/cash-out-venue.ts'
import { cashOutVenueOf } from '../../venues/cash-out/cash-out-venues.ts'
import type { SignedQuote } from '../quote-kind.ts'
import { offrampDetails } from './plan-offramp.ts'

/** A sale as the quote signed it. */
export interface SignedSale {
  sale: OpenedSale
  /** The calls that open the sale: the depositor's, or those of a bridge's message. */
  calls: readonly Call[]
  /** The deposit with the bridge; null if the escrow is on the same chain. */
  bridged: FoundDeposit | null
}

/**
 * Reads the sale that a quote signed from its calldata.
 * @throws Error for a quote whose calls open no sale, or one of another depositor.
 */
export function readSignedSale({ calls, chain, payers, details }: SignedQuote): SignedSale {
  const { provider, escrow, escrowChainId } = offrampDetails.parse(details)
  const [[own, ...others], [depositor]] = [calls, payers]
  if (!own || !depositor || others.length > 0) throw new Error('a cash-out was kept without its one intent')
  const bridged = escrowChainId === chain.config.chainId ? null : findBridgeDeposit(chain, own)
  const message = bridged && readBridgeMessage(bridged.deposit)
  if (message && message.recipient !== depositor)
    throw new Error('a cash-out was kept whose tokens would go to somebody else')
  const opening = escrowChainId === chain.config.chainId ? own : message?.calls
  const sale = opening && cashOutVenueOf(provider).findSale(opening, escrow, depositor)
  if (!opening || !sale) throw new Error('a cash-out was kept whose calls open no sale')
  return { sale, calls: opening, bridged }
}

/** Writes the order of a submitted cash-out, as its signed calldata has it, and the order of its bridge. */
export async function writeOrder(
  transaction: CommonQueryMethods,
  quote: SignedQuote,
  { fromIncognito }: { fromIncognito: boolean },
): Promise<void> {
  const { sale, bridged } = readSignedSale(quote)
  const { paymentMethod, currency, escrowChainId, orchestrator, rate, estimatedFillMs } =
    offrampDetails.parse(quote.details)
  const of = { quoteId: quote.id, accountId: quote.accountId }
  const source = { sourceToken: quote.token, sourceAmount: quote.amount }
  await insertCashOrder(transaction, {
    ...of,
    ...source,
    originChainId: quote.chain.config.chainId,
    chainId: escrowChainId,
    escrow: sale.escrow,
    orchestrator,
    depositor: sale.depositor,
    token: sale.token,
    amount: sale.amount,
    paymentMethod,
    currency,
    payeeDetails: sale.payeeDetails,
    minRate: sale.minimumRate,
    rate,
    depositKey: sale.depositKey,
    fromIncognito,
  })
  if (!bridged) return
  await insertBridgeOrder(transaction, {
    ...of,
    ...source,
    deposit: bridged.deposit,
    outputRecipient: sale.depositor,
    outputToken: sale.token,
    expectedOutput: sale.amount,
    minimumOutput: sale.amount,
    estimatedFillMs,
  })
}
