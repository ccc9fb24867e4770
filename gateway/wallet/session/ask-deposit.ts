import { waitUntilConfirmed, type Client } from 'stealth-relay/client'
import { askConversion, signPoolQuote, type ConversionQuote, type PoolView } from 'stealth-relay/client/pool'
import type { Address } from 'viem'
import { openPool } from './open-pool.ts'

/** A token with its amount, as the user wants it moved. */
export interface TokenDraft {
  chainId: number
  token: Address
  symbol: string
  decimals: number
  /** In the smallest unit. */
  amount: bigint
}

/** A deposit as the user wants it. */
export interface DepositDraft extends Omit<TokenDraft, 'amount'> {
  /** Null moves all that can be moved. */
  amount: bigint | null
  /** The one address that pays; the service chooses unless given. */
  payer?: Address
}

/** A deposit into a pool that the service offers; it reserves the money. */
export interface DepositOffer {
  draft: DepositDraft
  quote: ConversionQuote
  view: PoolView
  /** Value of all notes together. */
  worth: bigint
  fee: bigint
  /** Each address makes a deposit of its own. */
  deposits: number
  /** Deposits in the pool that are worth as much as the largest of these, or more. */
  crowd: number
  /** The amounts show that the deposits belong together. */
  isLinked: boolean
  expiresAt: Date
}

/** A deposit is split among so many addresses at most. */
const MOST_NOTES = 5

/** Asks for an offer. @throws ServiceRefusal. */
export async function askDeposit(client: Client, draft: DepositDraft): Promise<DepositOffer> {
  const view = await openPool(client, draft.chainId, draft.token)
  const quote = await askConversion(client, { view, notes: MOST_NOTES, ...termsOf(draft) })
  const largest = quote.deposits.map(({ amount }) => BigInt(amount)).reduce((a, b) => (a > b ? a : b), 0n)
  return {
    draft,
    quote,
    view,
    worth: BigInt(quote.expectedOutput),
    fee: BigInt(quote.fees.total),
    deposits: quote.deposits.length,
    crowd: await countCrowd(view, largest),
    isLinked: quote.fundingCaveats.some(({ kind }) => kind === 'amounts_linked'),
    expiresAt: new Date(quote.expiresAt),
  }
}

const termsOf = ({ amount, payer }: DepositDraft) => ({
  amount,
  ...(payer && { spendableAddresses: [payer] }),
})

/** Number of approved deposits that are worth that amount or more; the pool publishes it in steps. */
async function countCrowd(view: PoolView, amount: bigint): Promise<number> {
  const { crowd } = await view.read()
  // The next higher step promises no deposit that is too small.
  return crowd.find(({ atLeast }) => atLeast >= amount)?.deposits ?? 0
}

/**
 * Signs what the user has read, by the client package's checks, submits it, and follows it to its end.
 * @throws Error if a check fails, the service refuses, or the deposit fails.
 */
export async function makeDeposit(
  client: Client,
  { draft, quote, view, fee, deposits }: DepositOffer,
  show: (state: string) => void,
): Promise<string> {
  show('signing')
  const body = await signPoolQuote(client, quote, {
    type: 'pool_deposit',
    view,
    amount: draft.amount,
    // The figures on the screen are the limits.
    maxFee: fee,
    notes: deposits,
  })
  show('submitting')
  await client.call('submitQuote', { body })
  return waitUntilConfirmed(client, quote.quoteId, show)
}
