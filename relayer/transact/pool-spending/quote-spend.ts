import { randomUUID } from 'node:crypto'
import type { CommonQueryMethods } from 'slonik'
import { countCrowd, readDepositAges } from '../../../db/pool/book/crowd.ts'
import { badRequest } from '../../errors.ts'
import type { KeepAnswer } from '../../keep-answer.ts'
import { tokenIdOf } from '../../market/tokens/token-id.ts'
import type { BookContent, ToldSpend } from '../../pool/book/book-content.ts'
import type { AccountPool } from '../../pool/state/find-account-pool.ts'
import { quoteLockConflict } from '../errors.ts'
import { checkRecipient, type Recipient, screenRecipient } from '../safety/check-recipient.ts'
import { signQuote } from '../signing/sign-quote.ts'
import type { Quote } from '../transact.ts'
import { toldSpendsFull } from './errors.ts'
import { isSubmitted } from './spend-progress.ts'
import { findFreshPool, planNotes, readSpendTerms, type SpendNote } from './plan-notes.ts'
import type { SpendPart } from './plan-spend.ts'
import { listPrivacyCaveats } from './privacy-caveats.ts'
import { amountOf, demandDecimals } from '../kinds/amount-request.ts'
import type { SpendRequest } from '../kinds/spend-request.ts'
import type { SpendingParts } from './spending-parts.ts'
import { sumParts, writeSpend, type OwnRecipient } from './write-spend.ts'

const DEFAULT_TTL_SECONDS = 900
/** A lock keeps other devices of the account from spending the notes. */
const MAX_TTL_SECONDS = 3_600
const ATTEMPTS = 3
/** Unsubmitted spends are deleted this long after their end. */
const FORGET_AFTER_MS = 86_400_000
/** Most unsubmitted spends in a book, which is read and written as a whole. */
const MOST_GIVEN_UP = 100
/** Most submitted spends in a book: about 1.4 MB. */
const MOST_SUBMITTED = 2_000

/**
 * Plans a reported spend, locks its notes in the account's book, and signs the withdrawals for the wallet.
 * @throws ServiceError as {@link import('../transact.ts').Quotes.create}.
 */
export async function quoteSpend(
  parts: SpendingParts,
  accountId: string,
  request: SpendRequest,
  keepAnswer?: KeepAnswer<Quote>,
): Promise<Quote> {
  const amount = amountOf(request)
  const found = await findFreshPool(parts, accountId, request)
  const { pool } = found
  demandDecimals(request.decimals, pool.asset.decimals)
  const [recipient, { terms, token, tokenUsd }] = await Promise.all([
    checkDestination(parts, found, accountId, request),
    readSpendTerms(parts, pool),
  ])
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const planned = await planNotes(parts, accountId, pool, { amount, token, terms })
    const own = await issueRecipients(parts, accountId, request, planned.length)
    const until = Date.now() + Math.min(request.ttl ?? DEFAULT_TTL_SECONDS, MAX_TTL_SECONDS) * 1_000
    const spend = toldSpend(request, planned, until)
    const [crowd, ages] = await readCrowd(parts, pool, planned)
    const least = terms.leastAmount ?? 0n
    const document = writeSpend({
      quoteId: spend.id,
      expiresAt: new Date(until),
      token,
      tokenUsd,
      parts: planned,
      recipient,
      ownRecipients: own,
      crowd,
      caveats: listPrivacyCaveats({ parts: planned, ages, crowd, least, now: Date.now() }),
    })
    const quote = { quoteId: spend.id, terms: document, ...(await signQuote(parts.signer, document)) }
    const keep = keepAnswer && ((transaction: CommonQueryMethods) => keepAnswer(transaction, quote))
    if (await lockNotes(parts, accountId, pool, spend, keep)) return quote
  }
  throw quoteLockConflict()
}

type Pool = AccountPool['pool']

/** Checks the recipient; null if the wallet does not name it. */
async function checkDestination(
  parts: SpendingParts,
  { chain }: AccountPool,
  accountId: string,
  request: SpendRequest,
): Promise<Recipient | null> {
  const { kind, chainId, destinationAddress } = request
  if (kind === 'incognito_self_send') {
    if (destinationAddress !== undefined) throw badRequest('destinationAddress: a spend to oneself has none')
    return null
  }
  if (destinationAddress === undefined) return null
  const token = tokenIdOf(chainId, request.token).address
  const asked = { ...request, token, destinationAddress }
  const recipient = await checkRecipient(parts, chain.client, accountId, asked)
  await screenRecipient(parts, chainId, recipient)
  return recipient
}

/** Issues one address for each withdrawal: two withdrawals to one address would be publicly linked. */
async function issueRecipients(
  { addresses }: SpendingParts,
  accountId: string,
  { kind }: SpendRequest,
  count: number,
): Promise<OwnRecipient[]> {
  if (kind !== 'incognito_self_send') return []
  const issued: OwnRecipient[] = []
  for (let place = 0; place < count; place += 1)
    issued.push(await addresses.issue(accountId, 'fund-movement'))
  return issued
}

function toldSpend(
  { kind }: SpendRequest,
  planned: readonly SpendPart<SpendNote>[],
  until: number,
): ToldSpend {
  const { receives, fee } = sumParts(planned)
  return {
    id: randomUUID(),
    kind,
    receives,
    fee,
    until,
    isUnlocked: false,
    parts: planned.map(({ note: { label, withdrawalIndex, value }, withdraws }) => ({
      label,
      withdrawalIndex,
      value,
      withdraws,
      spentBy: null,
    })),
  }
}

/** Locks the notes. False if another request took one of them, or the chain shows one as spent by now. */
function lockNotes(
  { books }: SpendingParts,
  accountId: string,
  pool: Pool,
  spend: ToldSpend,
  keep?: (transaction: CommonQueryMethods) => Promise<void>,
): Promise<boolean> {
  return books.change(accountId, pool, async ({ content, locked, notes }, transaction) => {
    const isTaken = spend.parts.some(
      ({ label, withdrawalIndex }) =>
        locked.has(label) || (notes.get(label)?.withdrawalIndex ?? 0) !== withdrawalIndex,
    )
    if (isTaken) return { content: null, result: false }
    const kept = listKept(content)
    if (kept.filter(isSubmitted).length >= MOST_SUBMITTED)
      throw toldSpendsFull(`An account tells of ${MOST_SUBMITTED} spends from one pool at most`)
    await keep?.(transaction)
    return { content: { ...content, spends: [...kept, spend] }, result: true }
  })
}

/** Lists the spends without those that were given up long ago, or before many others. */
function listKept({ spends }: BookContent): ToldSpend[] {
  const now = Date.now()
  const givenUp = spends.filter((spend) => !isSubmitted(spend) && (spend.isUnlocked || spend.until <= now))
  const kept = new Set(givenUp.slice(-MOST_GIVEN_UP).filter(({ until }) => until > now - FORGET_AFTER_MS))
  return spends.filter((spend) => !givenUp.includes(spend) || kept.has(spend))
}

function readCrowd({ database }: SpendingParts, pool: Pool, planned: readonly SpendPart<SpendNote>[]) {
  const key = { chainId: pool.chainId, pool: pool.address }
  const largest = planned.reduce((most, { withdraws }) => (withdraws > most ? withdraws : most), 0n)
  const labels = planned.map(({ note }) => note.label)
  return Promise.all([
    countCrowd(database, key, { value: largest, labels }),
    readDepositAges(database, key, labels),
  ])
}
