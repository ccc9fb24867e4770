import {
  askCashOut,
  previewCashOut,
  signQuote,
  waitUntilConfirmed,
  type CashOutPreview,
  type CashOutQuote,
  type Client,
  type WithdrawalQuote,
} from 'stealth-relay/client'
import { parseEther } from 'viem'
import { findChain } from '../read-settings.ts'
import type { CashVenue } from '../settings.ts'
import type { TokenDraft } from './ask-deposit.ts'

/** A sale for money as the user wants it. */
export interface CashOutDraft extends TokenDraft {
  /** By the venue's name: `venmo`. */
  paymentMethod: string
  /** By ISO 4217. */
  currency: string
  /** The user's handle there. */
  payee: string
}

/** A sale that the service offers; it reserves the money. */
export interface SaleOffer {
  draft: CashOutDraft
  quote: CashOutQuote
  fee: bigint
  /** Earlier sales to the same handle, which anybody can join with this one. */
  earlier: number
  expiresAt: Date
}

/** How one can be paid for a token, and what it is worth there now. Reserves nothing. */
export const findMethods = async (
  client: Client,
  { chainId, token, amount }: Pick<TokenDraft, 'chainId' | 'token' | 'amount'>,
): Promise<CashOutPreview['methods']> => (await previewCashOut(client, { chainId, token, amount })).methods

/** Asks for an offer. @throws ServiceRefusal. */
export async function askSale(client: Client, draft: CashOutDraft): Promise<SaleOffer> {
  const quote = await askCashOut(client, { ...draft, venue: venueOf(draft) })
  const { expiresAt, fundingCaveats } = quote as unknown as {
    expiresAt: string
    fundingCaveats: { kind: string; earlierCashOuts?: number }[]
  }
  const linked = fundingCaveats.find(({ kind }) => kind === 'payee_linked')
  return {
    draft,
    quote,
    fee: BigInt(quote.fees.total),
    earlier: linked?.earlierCashOuts ?? 0,
    expiresAt: new Date(expiresAt),
  }
}

/**
 * Signs what the user has read, by the client package's checks, submits it, and follows it until the escrow has the money.
 * @throws Error if a check fails, the service refuses, or the sale fails.
 */
export async function makeCashOut(
  client: Client,
  { draft, quote, fee }: SaleOffer,
  show: (state: string) => void,
): Promise<string> {
  show('signing')
  const body = await signQuote(client, quote, {
    type: 'offramp',
    ...draft,
    // The figures on the screen are the limits.
    leastRate: parseEther(quote.minimumConversionRate),
    maxFee: fee,
    venue: venueOf(draft),
  })
  show('submitting')
  await client.call('submitQuote', { body })
  return waitUntilConfirmed(client, quote.quoteId, show)
}

function venueOf({ chainId, currency }: CashOutDraft) {
  const { escrow, gatingService, feeds } = demandCash(chainId)
  const price = feeds[currency]
  if (!price) throw new Error(`the page knows no price of ${currency}`)
  return { escrow, gatingService, ...price }
}

function demandCash(chainId: number): CashVenue {
  const cash = findChain(chainId)?.cash
  if (!cash) throw new Error(`nothing is sold on chain ${chainId}`)
  return cash
}

/** A sale whose rest the user wants back. */
export interface ReturnDraft extends Omit<TokenDraft, 'amount'> {
  /** `peerDepositId` of the activity. */
  depositId: string
}

/** The rest of a sale on its way back; it ends the sale. */
export interface ReturnOffer {
  draft: ReturnDraft
  quote: WithdrawalQuote
  back: bigint
  fee: bigint
  expiresAt: Date
}

/** Asks for all that no buyer holds. @throws ServiceRefusal. */
export async function askReturn(client: Client, draft: ReturnDraft): Promise<ReturnOffer> {
  const { chainId, depositId } = draft
  const answer = await client.call('createQuote', { body: { type: 'offramp_withdraw', chainId, depositId } })
  const quote = answer as unknown as WithdrawalQuote
  return {
    draft,
    quote,
    back: BigInt(answer.expectedOutput),
    fee: BigInt(quote.fees.total),
    expiresAt: new Date(answer.expiresAt),
  }
}

/** Signs what the user has read, submits it, and follows it to its end. @throws Error as `makeCashOut`. */
export async function makeReturn(
  client: Client,
  { draft, quote, fee }: ReturnOffer,
  show: (state: string) => void,
): Promise<string> {
  const { chainId, token, depositId } = draft
  show('signing')
  const { escrow } = demandCash(chainId)
  const body = await signQuote(client, quote, {
    type: 'offramp_withdraw',
    chainId,
    depositId,
    token,
    maxFee: fee,
    venue: { escrow },
  })
  show('submitting')
  await client.call('submitQuote', { body })
  return waitUntilConfirmed(client, quote.quoteId, show)
}
