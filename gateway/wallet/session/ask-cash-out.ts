import {
  askCashOut,
  followCashOut,
  previewCashOut,
  signQuote,
  SubmissionFailed,
  waitUntilConfirmed,
  type CashOutCrossing,
  type CashOutPreview,
  type CashOutQuote,
  type Client,
  type WithdrawalQuote,
} from 'stealth-relay/client'
import { isAddressEqual, parseEther, type Address } from 'viem'
import { findChain, SETTINGS } from '../read-settings.ts'
import type { CashVenue, WalletChain } from '../settings.ts'
import { TEXTS } from '../texts.ts'
import type { TokenDraft } from './ask-deposit.ts'

/** A sale for money as the user wants it. */
export interface CashOutDraft extends TokenDraft {
  /** The chain whose escrow sells it: the token's, or one to which a bridge carries it. */
  escrowChainId: number
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
  /** How it comes to the escrow's chain; null on one chain. */
  crossing: { estimatedMs: number | null; deadline: Date } | null
  expiresAt: Date
}

/** An open page shows a refund too, which may come hours after the deadline. */
const CROSSING_PATIENCE_MS = 6 * 3_600_000

/** The chains whose escrow sells a token, its own first. */
export function listSalePlaces(chainId: number, token: Address): WalletChain[] {
  const here = findChain(chainId)
  const sold = (chain: WalletChain, wanted: Address) =>
    chain.cash?.tokens.some((one) => isAddressEqual(one, wanted)) ?? false
  const elsewhere = SETTINGS.chains.filter((chain) => {
    const output = chain.chainId !== chainId && carriedTo(chain, { chainId, token })?.output
    return output && chain.multicallHandler && sold(chain, output.token)
  })
  return [...(here && sold(here, token) ? [here] : []), ...elsewhere]
}

/** A token and the one that the bridge pays for it on another chain. */
function carriedTo(
  { carried = {} }: WalletChain,
  { chainId, token }: { chainId: number; token: Address },
): CashOutCrossing['carried'][number] | undefined {
  const from = findChain(chainId)
  if (!from?.spokePool) return undefined
  return Object.entries(from.carried ?? {})
    .filter(([, input]) => isAddressEqual(input.token, token))
    .flatMap(([symbol, input]) => {
      const output = carried[symbol]
      return output ? [{ input, output }] : []
    })[0]
}

/** The way of a draft to its escrow; undefined where it is on the token's chain. @throws Error where no bridge leads there. */
function crossingOf({
  chainId,
  token,
  escrowChainId,
}: Pick<CashOutDraft, 'chainId' | 'token' | 'escrowChainId'>): CashOutCrossing | undefined {
  if (escrowChainId === chainId) return undefined
  const to = findChain(escrowChainId)
  const carried = to && carriedTo(to, { chainId, token })
  const spokePool = findChain(chainId)?.spokePool
  if (!carried || !spokePool || !to.multicallHandler) throw new Error('no bridge leads to this escrow')
  return { chainId: escrowChainId, spokePool, multicallHandler: to.multicallHandler, carried: [carried] }
}

/** How one can be paid for a token, and what it is worth there now. Reserves nothing. */
export const findMethods = async (
  client: Client,
  draft: Pick<CashOutDraft, 'chainId' | 'token' | 'amount' | 'escrowChainId'>,
): Promise<CashOutPreview['methods']> =>
  (await previewCashOut(client, { ...draft, ...withCrossing(draft) })).methods

/** Asks for an offer. @throws ServiceRefusal. */
export async function askSale(client: Client, draft: CashOutDraft): Promise<SaleOffer> {
  const quote = await askCashOut(client, { ...draft, ...withCrossing(draft), venue: venueOf(draft) })
  const { expiresAt, estimatedFillTimeMs, fundingCaveats } = quote as unknown as {
    expiresAt: string
    estimatedFillTimeMs: number | null
    fundingCaveats: { kind: string; earlierCashOuts?: number }[]
  }
  const linked = fundingCaveats.find(({ kind }) => kind === 'payee_linked')
  return {
    draft,
    quote,
    fee: BigInt(quote.fees.total),
    earlier: linked?.earlierCashOuts ?? 0,
    crossing: quote.fillDeadline
      ? { estimatedMs: estimatedFillTimeMs, deadline: new Date(quote.fillDeadline) }
      : null,
    expiresAt: new Date(expiresAt),
  }
}

/**
 * Signs what the user has read, by the client package's checks, submits it, and follows it until the escrow has the money.
 * @throws Error if a check fails, the service refuses, or the sale fails.
 */
export async function makeCashOut(
  client: Client,
  { draft, quote, fee, crossing }: SaleOffer,
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
    ...withCrossing(draft),
  })
  show('submitting')
  await client.call('submitQuote', { body })
  const txHash = await waitUntilConfirmed(client, quote.quoteId, show)
  if (crossing) {
    show('bridge_pending')
    const until = [...OFFERED, 'returned', 'failed']
    const { phase } = await followCashOut(client, quote, { until, patienceMs: CROSSING_PATIENCE_MS })
    if (!OFFERED.includes(phase)) throw new SubmissionFailed(TEXTS.swap.refunded)
  }
  return txHash
}

/** Phases of a sale that the escrow holds. */
const OFFERED = ['listed', 'matched', 'partially_filled', 'completed']

function withCrossing(draft: Parameters<typeof crossingOf>[0]): { crossing?: CashOutCrossing } {
  const crossing = crossingOf(draft)
  return crossing ? { crossing } : {}
}

function venueOf({ escrowChainId, currency }: CashOutDraft) {
  const { escrow, gatingService, feeds } = demandCash(escrowChainId)
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
