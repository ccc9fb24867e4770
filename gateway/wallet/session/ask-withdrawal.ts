import type { Client } from 'stealth-relay/client'
import { askSpend, spendTold, type PoolView, type SpendQuote } from 'stealth-relay/client/pool'
import type { Address } from 'viem'
import { openProver } from '../prover/open-prover.ts'
import type { TokenDraft } from './ask-deposit.ts'
import { openPool } from './open-pool.ts'
import type { ShowProgress } from './show-progress.ts'

/** A private payment as the user wants it. */
export interface WithdrawalDraft extends TokenDraft {
  /** Null pays a fresh address of the account. */
  recipient: Address | null
}

/** Notes that would pay; the service reserves them. It does not learn the recipient. */
export interface WithdrawalOffer {
  draft: WithdrawalDraft
  quote: SpendQuote
  view: PoolView
  /** By today's price of the relay. */
  fee: bigint
  maxFee: bigint
  withdrawals: number
  crowd: number
  caveats: readonly string[]
  expiresAt: Date
}

/** Asks which notes would pay. @throws ServiceRefusal. */
export async function askWithdrawal(client: Client, draft: WithdrawalDraft): Promise<WithdrawalOffer> {
  const { chainId, token, amount, recipient } = draft
  const view = await openPool(client, chainId, token)
  const quote = await askSpend(client, { view, amount, isOwn: recipient === null })
  const sum = (part: 'withdraws' | 'receives') =>
    quote.withdrawals.map((one) => BigInt(one[part])).reduce((total, one) => total + one, 0n)
  const fee = sum('withdraws') - sum('receives')
  return {
    draft,
    quote,
    view,
    fee,
    // The relayer's own quote decides, and gas moves meanwhile.
    maxFee: fee + fee / 4n,
    withdrawals: quote.withdrawals.length,
    crowd: quote.crowd,
    caveats: quote.privacyCaveats.map(({ kind }) => kind),
    expiresAt: new Date(quote.expiresAt),
  }
}

/**
 * Checks that the notes are the wallet's own, proves, and has each withdrawal relayed.
 * @throws Error if a check fails, or the service or the relayer refuses.
 */
export async function makeWithdrawal(
  client: Client,
  { draft, quote, view, maxFee, withdrawals }: WithdrawalOffer,
  show: ShowProgress,
): Promise<string> {
  show('preparing')
  const { txHashes } = await spendTold(client, {
    view,
    amount: draft.amount,
    recipient: draft.recipient,
    maxFee,
    quote,
    prover: openProver(show),
    // Several withdrawals at one moment would look like one.
    spacingMs: withdrawals > 1 ? 30_000 : 0,
    step: (_, work) => work(show),
  })
  return txHashes.join(' ')
}
