import { demandSending } from '../../chain/broadcast/demand-gas.ts'
import type { Address } from 'viem'
import type { KeepAnswer } from '../../keep-answer.ts'
import { kindOf } from '../kinds/quote-kinds.ts'
import {
  endLockedQuote,
  findQuote,
  lockQuote,
  withRecipient,
  type QuoteRow,
  type QuoteState,
} from '../../../db/transact/quotes.ts'
import { listReservations, moveReservations, type Reservation } from '../../../db/transact/reservations.ts'
import type { Quote } from '../transact.ts'
import type { Holder } from './choose-funds.ts'
import { groupHolders, preparePlan, type QuoteParts } from './prepare-quote.ts'
import { issueQuote, recipientOf } from './issue-quote.ts'
import { readQuote } from './quote-document.ts'
import { quoteNotFound } from '../errors.ts'
import { stateByClock, quoteStep } from './quote-machine.ts'

/**
 * Replaces a quote that still locks funds by one at the present cost, with the same recipient, addresses, deadline and
 * nonces. Funds that both need stay locked throughout. The chain executes only one of two intents with the same nonce.
 * So a signature of the old quote is worthless beside the new one.
 * @returns Null for an unknown quote.
 * @throws ServiceError `bad-request` QUOTE_NOT_REFRESHABLE once it has ended or was submitted,
 * PROVENANCE_MIX if money of another origin has come to its addresses since.
 */
export async function refreshQuote(
  parts: QuoteParts,
  accountId: string,
  quoteId: string,
  keepAnswer?: KeepAnswer<Quote>,
): Promise<Quote | null> {
  const found = await findQuote(parts.database, accountId, quoteId)
  if (!found) return null
  const old = demandRefreshable(found)
  const { chainId, kind, token, expiresAt } = old
  const sending = await parts.sendingChains.open(chainId)
  demandSending(parts.broadcast, chainId)
  const plan = await kindOf(kind).planAgain(
    { ...parts, accountId, sending },
    {
      quoteId,
      token,
      amount: old.asked.maxSend ? 'max' : old.amount,
      recipient: recipientOf(old),
      details: old.asked.details,
    },
  )
  const nonces = new Map(
    readQuote(old.terms).intents.map(({ intent }): [Address, bigint] => [intent.eoa, intent.intentNonce]),
  )
  return issueQuote(parts, {
    accountId,
    kind,
    replaces: quoteId,
    keepAnswer,
    async prepare() {
      const [prepared, reserved] = await Promise.all([
        preparePlan(parts, accountId, { kind: kindOf(kind), sending }, plan),
        listReservations(parts.database, quoteId),
      ])
      const ofToken = reserved.filter((row) => row.token === prepared.token.address)
      const holders =
        plan.funding.from === 'holdings' ? withReserved(prepared.holders, ofToken) : prepared.holders
      const { isMixed } = old.asked
      const groupsOf = isMixed ? undefined : groupHolders(parts.provenance, accountId, prepared, holders)
      return { ...prepared, holders, groupsOf, isMixAgreed: isMixed, nonces, expiresAt }
    },
    async makeRoom(connection) {
      const { to } = demandRefreshable(await lockQuote(connection, accountId, quoteId))
      await endLockedQuote(connection, quoteId, to)
    },
    reserve: (connection, newId, rows) => moveReservations(connection, quoteId, newId, rows),
  })
}

function demandRefreshable(quote: QuoteRow | null): QuoteRow & { recipient: Address; to: QuoteState } {
  if (!quote) throw quoteNotFound()
  const { to } = quoteStep(stateByClock(quote.status, quote.hasExpired), 'replace')
  return { ...withRecipient(quote), to }
}

/** Restricts holders to the quote's addresses, and makes its own locked funds available to them. */
function withReserved(holders: readonly Holder[], reserved: readonly Reservation[]): Holder[] {
  const amounts = new Map(reserved.map(({ address, amount }) => [address, amount]))
  return holders.flatMap((holder) => {
    const own = amounts.get(holder.address)
    return own === undefined ? [] : [{ ...holder, free: holder.free + own, locked: holder.locked - own }]
  })
}
