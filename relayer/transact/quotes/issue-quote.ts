import { randomUUID } from 'node:crypto'
import type { CommonQueryMethods, DatabasePool } from 'slonik'
import { type Address, zeroAddress, type PublicClient } from 'viem'
import type { KeepAnswer } from '../../keep-answer.ts'
import { insertLockingQuote, insertQuote, type NewQuote, type QuoteRow } from '../../../db/transact/quotes.ts'
import {
  isOverPromise,
  recordPayments,
  reserveFunds,
  type Reservation,
} from '../../../db/transact/reservations.ts'
import { signQuote } from '../signing/sign-quote.ts'
import type { Quote } from '../transact.ts'
import { attributionOf } from './build-intents.ts'
import { describeFunding, explainFunding } from './describe-funding.ts'
import { lockCollectibles, reserveMoved } from './lock-moved.ts'
import type { QuoteParts } from './prepare-quote.ts'
import { partsOf, priceQuote, type PriceInputs, type PricedPlan } from './price-quote.ts'
import { writeQuote } from './quote-document.ts'
import { simulationFailed } from '../../chain/errors.ts'
import { screenRecipient, type Recipient } from '../safety/check-recipient.ts'
import { quoteLockConflict } from '../errors.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { listHoldingsOf, markForReading } from '../../../db/transact/funding-candidates.ts'
import { USD_DECIMALS } from '../../market/prices/prices.ts'
import { valueInUsd } from '../../market/prices/usd.ts'
import { effectiveBps } from '../fees/service-fee.ts'

/** Most attempts to choose funds when other quotes are faster. */
const ATTEMPTS = 3

/** A quote to be issued. */
export interface Issue {
  accountId: string
  /** Name of its kind. */
  kind: string
  replaces: string | null
  /** Reads the present state; called again when others were faster. */
  prepare(): Promise<PriceInputs>
  /** Runs in the transaction that writes the quote, before it is written. */
  makeRoom?(connection: CommonQueryMethods): Promise<void>
  /**
   * Locks the funds later in the same transaction, unless the calls bring the money or the quote is free. By default
   * they are locked for this quote alone.
   */
  reserve?(connection: CommonQueryMethods, quoteId: string, rows: readonly Reservation[]): Promise<void>
  /** Runs last in the same transaction. */
  keepAnswer?: KeepAnswer<Quote> | undefined
}

/**
 * Prices, signs, and writes a quote with its reservations, in one transaction.
 * @throws ServiceError as priceQuote does; `conflict` QUOTE_LOCK_CONFLICT when other quotes were faster in every
 * attempt.
 */
export async function issueQuote(parts: QuoteParts, issue: Issue): Promise<Quote> {
  const { accountId, kind, replaces } = issue
  // Some balances change without a log: a failed run may mean that the funds are gone.
  let hasReread = false
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const prepared = await issue.prepare()
    const suffixOf = attributionOf(parts.config, kind, prepared.sending.chain.config)
    const priced = await priceQuote(parts, prepared, suffixOf).catch(async (error: unknown) => {
      if (hasReread || !simulationFailed.matches(error)) throw error
      hasReread = true
      const { chainId, chain } = prepared.sending
      const of = { chainId, token: prepared.token.address }
      const { database } = parts
      if (!(await rereadHoldings({ database, client: chain.client }, of, countedOf(prepared)))) throw error
      return null
    })
    if (!priced) continue
    const addresses = priced.chosen.inputs.map(({ address }) => address)
    const [funding, origins] = await Promise.all([
      describeFunding(parts, addresses, priced.token),
      explainFunding(parts, accountId, priced),
      // The payers were screened before their intents were run.
      screenRecipient(parts, priced.sending.chainId, priced.plan.recipient),
    ])
    const quoteId = randomUUID()
    const { refreshAfterMs, volatileRefreshAfterMs } = parts.config
    const freshMs = priced.plan.isVolatile ? volatileRefreshAfterMs : refreshAfterMs
    const refreshAfter = new Date(Math.min(Date.now() + freshMs, priced.expiresAt.getTime()))
    const terms = writeQuote(quoteId, priced, { refreshAfter, funding, origins })
    const signed = await signQuote(parts.signer, terms)
    const stored = toStoredQuote(accountId, terms, priced, { kind, replaces })
    try {
      const rows = await listLocked(parts.database, issue, priced)
      const quote = { quoteId, terms, ...signed }
      await write(parts.database, issue, { priced, stored, rows, quote })
      return quote
    } catch (error) {
      if (!isOverPromise(error)) throw error
    }
  }
  throw quoteLockConflict()
}

/** Returns the holdings that a plan counted with; none if its calls bring the money, or if it is free. */
const countedOf = ({ plan, holders }: PriceInputs): ReadonlyMap<Address, bigint> =>
  new Map(
    plan.funding.from === 'holdings'
      ? holders.map(({ address, free, locked }) => [address, free + locked])
      : [],
  )

/** Lists the amounts that a quote takes from its addresses, with the assets that its calls also move. */
async function listLocked(
  database: DatabasePool,
  { accountId, replaces }: Issue,
  priced: PricedPlan,
): Promise<Reservation[]> {
  const rows = await Promise.all(
    listReserved(priced).map(async (row, place) => {
      const moved = priced.intents[place]?.moved
      const { chainId, address } = row
      return moved
        ? reserveMoved(database, { accountId, chainId, address, quoteId: replaces }, row, moved)
        : row
    }),
  )
  return rows.flat()
}

/** Writes a quote with all of its rows, or nothing. */
async function write(
  database: DatabasePool,
  { makeRoom, reserve, keepAnswer, accountId }: Issue,
  {
    priced,
    stored,
    rows,
    quote,
  }: { priced: PricedPlan; stored: NewQuote; rows: readonly Reservation[]; quote: Quote },
): Promise<void> {
  const { keep, funding } = priced.plan
  const isHeld = funding.from === 'holdings'
  if (!makeRoom && !reserve && !keepAnswer && !keep && isHeld)
    return insertLockingQuote(database, stored, rows)
  await database.transaction(async (connection) => {
    await makeRoom?.(connection)
    await insertQuote(connection, stored)
    await keep?.(connection, { quoteId: stored.id, accountId }, partsOf(priced))
    const owner = { quoteId: stored.id, accountId, chainId: stored.chainId }
    for (const { moved } of priced.intents) if (moved) await lockCollectibles(connection, owner, moved)
    const record = isHeld ? (reserve ?? reserveFunds) : recordPayments
    await record(connection, stored.id, rows)
    await keepAnswer?.(connection, quote)
  })
}

/** Most holdings to read again: a quote needs only a few addresses, and the sweep reads the others. */
const MOST = 32
const PATIENCE_MS = 3_000
const LOOK_MS = 100

/**
 * Makes the indexer read a quote's holdings again, because some balances change without a log. Readings of blocks
 * before the node's newest do not count: the calls failed on the newest. The indexer's queries never join two addresses
 * of one account.
 *
 * @param counted Amounts by address, in the token's smallest unit. Only the largest are read.
 * @returns True if a holding differs from its counted amount within three seconds.
 */
async function rereadHoldings(
  { database, client }: { database: DatabasePool; client: PublicClient },
  of: { chainId: number; token: string },
  counted: ReadonlyMap<Address, bigint>,
): Promise<boolean> {
  const largest = [...counted]
    .filter(([, amount]) => amount > 0n)
    .sort(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0))
    .slice(0, MOST)
  if (of.token === zeroAddress || largest.length === 0) return false
  const newest = await client.getBlockNumber({ cacheTime: 0 })
  const addresses = largest.map(([address]) => address)
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    await markForReading(database, of, addresses)
    await sleep(LOOK_MS)
    const now = await listHoldingsOf(database, of, addresses)
    if (now.some(({ asOfBlock }) => asOfBlock < newest)) continue
    const amounts = new Map<string, bigint>(now.map(({ address, amount }) => [address, amount]))
    return largest.some(([address, amount]) => (amounts.get(address) ?? 0n) !== amount)
  }
  return false
}

type Document = ReturnType<typeof writeQuote>

/** Converts a quote to its stored form. */
function toStoredQuote(
  accountId: string,
  document: Document,
  quote: PricedPlan,
  { kind, replaces }: { kind: string; replaces: string | null },
): NewQuote {
  const { plan, token, amount, output } = quote
  return {
    id: document.quoteId,
    accountId,
    kind,
    chainId: quote.sending.chainId,
    token: token.address,
    amount,
    recipient: plan.recipient.address,
    terms: withoutProvenance(document),
    asked: {
      maxSend: plan.amount === 'max',
      recipient: { ...plan.recipient },
      details: { ...plan.details },
      isMixed: quote.isMixAgreed || quote.chosen.isMixed,
    },
    output:
      output.token.address === token.address && output.token.chainId === token.chainId
        ? null
        : { token: output.token.address, expected: output.expected, minimum: output.minimum },
    isVolatile: plan.isVolatile,
    tokenDecimals: token.decimals,
    feeBps: effectiveBps(quote.terms),
    feeReceiver: quote.sending.feeReceiver,
    networkFee: quote.networkFee,
    serviceFee: quote.serviceFee,
    serviceFeeUsdMicros: worthInMicros(quote),
    feeListed: quote.rate.isListed,
    feeWaived: quote.terms.waived,
    gasCost: quote.gasCost,
    expiresAt: quote.expiresAt,
    replaces,
  }
}

/**
 * Removes the origins: nothing reads them again, and the user's labels of addresses must not be stored longer than
 * needed.
 */
function withoutProvenance(document: Document): Record<string, unknown> {
  const { provenanceLabelGroups: _, selectedFundingSources, ...kept } = document
  const sources = selectedFundingSources.map(({ provenance: __, ...source }) => source)
  return { ...kept, selectedFundingSources: sources }
}

function worthInMicros({ serviceFee, token, rate }: PricedPlan): bigint | null {
  if (rate.bookedUsd === null) return null
  return valueInUsd(serviceFee, token.decimals, { usd: rate.bookedUsd }) / 10n ** BigInt(USD_DECIMALS - 6)
}

/** Returns the recipient of a stored quote. */
export function recipientOf({
  asked,
  recipient,
}: Pick<QuoteRow, 'asked'> & { recipient: Address }): Recipient {
  const plain: Recipient = { address: recipient, name: null, owned: false, poisoning: null }
  return { ...plain, ...(asked.recipient as Partial<Recipient> | null) }
}

/** Lists the amounts that a quote takes from each address, fees included. */
function listReserved({ sending, token, intents }: PricedPlan): Reservation[] {
  return intents.map(({ share: { input, toService } }) => ({
    chainId: sending.chainId,
    address: input.address,
    token: token.address,
    amount: input.taken,
    networkFee: input.cost,
    serviceFee: toService - input.cost,
  }))
}
