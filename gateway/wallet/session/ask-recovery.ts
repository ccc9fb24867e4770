import { waitUntilConfirmed, type Client } from 'stealth-relay/client'
import {
  findNotes,
  noteMasterOf,
  proveRagequit,
  signPoolQuote,
  type FoundNote,
  type PoolView,
  type RecoverQuote,
} from 'stealth-relay/client/pool'
import type { Address, Hex } from 'viem'
import { openProver } from '../prover/open-prover.ts'
import type { TokenDraft } from './ask-deposit.ts'
import { openPool } from './open-pool.ts'
import type { ShowProgress } from './show-progress.ts'

/** A deposit that the user wants back. */
export interface RecoveryDraft extends Omit<TokenDraft, 'amount'> {
  /** As the service lists the deposit. */
  commitmentId: string
}

/** A way back for a deposit, in the open. */
export interface RecoveryOffer {
  draft: RecoveryDraft
  quote: RecoverQuote
  view: PoolView
  note: FoundNote
  recoverCalldata: Hex
  /** The amount that the address gets. */
  back: bigint
  fee: bigint
  /** The address that made the deposit. */
  to: Address
  expiresAt: Date
}

/** Something was spent from the note's deposit before: taking it back shows by whom. */
export const showsSpends = ({ withdrawalIndex }: Pick<FoundNote, 'withdrawalIndex'>) => withdrawalIndex > 0

/** Proves that the deposit is the wallet's, and asks for an offer. @throws ServiceRefusal; Error where it is not. */
export async function askRecovery(
  client: Client,
  draft: RecoveryDraft,
  show: ShowProgress,
): Promise<RecoveryOffer> {
  const view = await openPool(client, draft.chainId, draft.token)
  const { notes } = findNotes(noteMasterOf(client), BigInt(view.pool.scope), await view.read())
  const note = notes.find(({ depositId }) => depositId === draft.commitmentId)
  if (!note) throw new Error('the keys of this wallet do not open the deposit')
  const recoverCalldata = await proveRagequit(openProver(show), note)
  const answer = await client.call('preparePoolRecovery', {
    body: {
      commitmentId: note.depositId,
      recoverCalldata,
      // The review says so.
      ...(showsSpends(note) && { acknowledgedPublicLink: true }),
    },
  })
  const quote = answer as unknown as RecoverQuote
  return {
    draft,
    quote,
    view,
    note,
    recoverCalldata,
    back: BigInt(quote.expectedOutput),
    fee: BigInt(quote.fees.total),
    to: quote.outputRecipient,
    expiresAt: new Date(answer.expiresAt),
  }
}

/**
 * Signs what the user has read, by the client package's checks, submits it, and follows it to its end.
 * @throws Error if a check fails, the service refuses, or the recovery fails.
 */
export async function makeRecovery(
  client: Client,
  { quote, view, note, fee, recoverCalldata }: RecoveryOffer,
  show: ShowProgress,
): Promise<string> {
  show('signing')
  const body = await signPoolQuote(client, quote, {
    type: 'pool_recover',
    pool: view.pool,
    note,
    maxFee: fee,
    recoverCalldata,
    prover: openProver(show),
  })
  show('submitting')
  await client.call('submitQuote', { body })
  return waitUntilConfirmed(client, quote.quoteId, show)
}
