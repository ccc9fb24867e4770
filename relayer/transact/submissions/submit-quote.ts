import type { CommonQueryMethods } from 'slonik'
import type { Address } from 'viem'
import { withRecipient } from '../../../db/transact/quotes.ts'
import {
  findSubmittableQuote,
  isIntentTaken,
  isolateIntents,
  submitIntents,
  type NewIntent,
  type Submittable,
  countPaidQuotes,
} from '../../../db/transact/intents-submit.ts'
import { demandSending } from '../../chain/broadcast/demand-gas.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { readCode } from '../../chain/unpaid-gas/has-code.ts'
import { readQuote } from '../quotes/quote-document.ts'
import { kindOf } from '../kinds/quote-kinds.ts'
import type { SignedQuote } from '../kinds/quote-kind.ts'
import type { Submission } from '../transact.ts'
import { checkDelegations, checkSignatures, matchTerms, type MatchedTerms } from './check-signatures.ts'
import { knownCodeOf, listStrangers } from './known-code.ts'
import { demandIntents } from './simulate-batch.ts'
import { stateByClock, quoteStep } from '../quotes/quote-machine.ts'
import { expiryOf, gasLimitsOf, preflightIntents } from './preflight-intents.ts'
import type { SubmissionParts } from './submission-parts.ts'
import { chainNotSupported, simulationFailed } from '../../chain/errors.ts'
import {
  quoteNotFound,
  quoteRefreshRequired,
  quoteExpired,
  quoteMismatch,
  tooManyFailed,
  tooManyUnderWay,
  refuseSilence,
} from '../errors.ts'
import { addressNotServed } from '../screening/errors.ts'
import type { GasShare } from '../../../db/chain/unpaid-gas/gas-budget.ts'
import type { SubmissionsConfig } from './config.ts'
import { decodeCalls } from '../intents/intent.ts'

/**
 * Blocks that a reorg may undo: an intent may have been executed this much earlier than it seems to have been
 * submitted.
 */
const REORG_BLOCKS = 64n

/**
 * Checks a submission against its quote and queues its intents. Quote and intents change in one database transaction,
 * so that of many equal submissions one is sent. A quote that was submitted before is left as it is.
 *
 * @param from The network of the client; null if unknown.
 * @returns The chain on which the intents were queued; null if they were queued before.
 * @throws ServiceError as {@link import('../transact.ts').Submissions.submit}.
 */
export async function submitQuote(
  parts: SubmissionParts,
  accountId: string,
  submission: Submission,
  from: string | null,
): Promise<number | null> {
  const network = from === null ? null : parts.nameNetwork(from)
  const find = () =>
    findSubmittableQuote(parts.database, accountId, submission.quoteId, parts.config.unpaidWindowMs)
  const found = await find()
  if (!found) throw quoteNotFound()
  if (stepOf(found).effect === 'answer-again') return null
  const isFirst = await checkAndQueue(parts, { accountId, network }, submission, found).catch(
    async (error: unknown) => {
      // An equal submission may be mined by now: then the chain refuses these intents, whose nonces are used.
      if ((await find())?.submittedAt) return false
      throw error
    },
  )
  if (isFirst) return found.chainId
  // An equal submission was faster, or the quote ended.
  stepOf((await find()) ?? found)
  return null
}

/** @throws ServiceError `bad-request` QUOTE_EXPIRED once the quote has ended unsubmitted. */
const stepOf = ({ status, expiresAt }: Submittable) =>
  quoteStep(stateByClock(status, expiresAt.getTime() <= Date.now()), 'submit')

/** @returns False if the quote was submitted or has ended in the meantime. */
async function checkAndQueue(
  parts: SubmissionParts,
  { accountId, network }: Submitter,
  submission: Submission,
  found: Submittable,
): Promise<boolean> {
  const { chains, config } = parts
  const chain = chains.get(found.chainId)
  if (!chain) throw chainNotSupported(`Chain ${found.chainId} is not served`)
  const quote = signedBy(found, chain)
  demandIntents(chain)
  demandSending(parts.broadcast, quote.chainId)

  const matched = matchTerms(quote.terms, submission)
  demandTime(quote, matched, config.leastLifeMs)
  await checkSignatures(parts, matched)
  const kind = kindOf(quote.kind)
  const isApart = kind.transport === 'own'
  limitUnpaid(config, found)
  const { payers } = quote
  const lookAt = async (addresses: readonly Address[]) => {
    const [effective] = await Promise.all([
      checkDelegations(chain, matched, addresses),
      demandClear(parts, quote, addresses),
    ])
    return effective
  }
  const others = [quote.recipient, ...kind.alsoReached(quote)]
  const [effective, code] = await parts.turns.about(payers[0] ?? quote.recipient, () =>
    Promise.all([
      isApart ? null : lookAt(payers),
      // In the batch that reads the delegations.
      readCode(chain.client, quote.recipient).catch(refuseSilence),
      demandClear(parts, quote, others),
      kind.recheck(parts.chains, quote),
    ]),
  )
  const known = knownCodeOf(parts.tokens, chain.config)
  const strangers = listStrangers(kind, quote, { known, config: chain.config, code })
  const isAlone = strangers.length > 0 || kind.othersCanFail(quote)
  const demandRoomFor = (gas: readonly bigint[]) =>
    demandRoom(parts, quote, {
      accountId,
      network,
      contracts: strangers,
      gas: isApart ? largestOf(gas) : sumOf(gas),
    })
  await demandRoomFor(matched.intents.map(({ intent }) => intent.combinedGas))
  const intents = await preflightIntents(parts, chain, {
    quote,
    intents: matched.intents,
    delegationsOf: async (addresses) => effective ?? lookAt(addresses),
  })
  await demandRoomFor(gasLimitsOf(intents))
  const checked = { accountId, network, found, quote, intents, strangers: isAlone ? strangers : null }
  return parts
    .inTurn(accountId, () => queueIntents(parts, checked))
    .catch((error: unknown) => {
      throw isIntentTaken(error) ? quoteMismatch('intents: one was submitted before') : error
    })
}

const sumOf = (gas: readonly bigint[]) => gas.reduce((sum, one) => sum + one, 0n)
const largestOf = (gas: readonly bigint[]) => gas.reduce((most, one) => (one > most ? one : most), 0n)

/** The submitting account, and the keyed name of its client's network; null if unknown. */
interface Submitter {
  accountId: string
  network: string | null
}

/** A checked submission, ready to be queued. */
interface Checked extends Submitter {
  found: Submittable
  quote: SignedQuote
  intents: readonly NewIntent[]
  /** Strangers' contracts that the intents run; null if they may share a transaction. */
  strangers: readonly string[] | null
}

/**
 * Writes a submission, completely or not at all. If the account submitted others since the read, the present ones are
 * judged instead.
 * @returns False if the quote has ended.
 */
async function queueIntents(parts: SubmissionParts, checked: Checked): Promise<boolean> {
  const { database, chains, config } = parts
  const { accountId, network, found, quote, intents, strangers } = checked
  const { submitted, paysRecipient } = kindOf(quote.kind)
  const head = chains.get(quote.chainId)?.head()?.number ?? 0n
  const written = {
    quoteId: quote.id,
    accountId,
    network,
    fromBlock: head > REORG_BLOCKS ? head - REORG_BLOCKS : 0n,
    isVolatile: quote.isVolatile,
    unpaidWindowMs: config.unpaidWindowMs,
    paidContact: paysRecipient ? quote.recipient : null,
  }
  // Claimed at submission and not at the quote: a quote that is only viewed does not use up the offer. The signed fee
  // stays either way.
  const startsWaiver = found.feeWaived && !found.hasActivated

  async function write(connection: CommonQueryMethods, others: Submittable['others']): Promise<boolean> {
    const { outcome, ...now } = await submitIntents(connection, { ...written, others }, intents)
    if (outcome !== 'overtaken') return outcome === 'submitted'
    // It may have been overtaken by an equal submission, or by the quote's end.
    const still = await findSubmittableQuote(connection, accountId, quote.id, config.unpaidWindowMs)
    if (still?.status !== 'locked') return false
    limitUnpaid(config, { isVolatile: quote.isVolatile, others: now })
    return write(connection, now)
  }

  if (!startsWaiver && !submitted && !strangers) return write(database, found.others)
  return database.transaction(async (transaction) => {
    if (!(await write(transaction, found.others))) return false
    if (startsWaiver) await parts.feeWaivers.claimActivation(transaction, accountId)
    await submitted?.(transaction, quote)
    if (strangers) await isolateIntents(transaction, quote.id, strangers)
    return true
  })
}

/** Checks that enough time is left: a late block costs gas and pays nothing. */
function demandTime(quote: SignedQuote, { intents }: MatchedTerms, leastLifeMs: number): void {
  const soonest = Date.now() + leastLifeMs
  if (intents.every(({ intent }) => expiryOf(intent.expiry, quote).getTime() >= soonest)) return
  // Some intents live for minutes in a quote that is open for hours.
  if (quote.expiresAt.getTime() >= soonest)
    throw quoteRefreshRequired('The signed intents would be mined too late: refresh the quote')
  throw quoteExpired('It would be mined too late: ask for a new quote')
}

/** Screens the addresses again, because a quote may be a day old; a refresh reports the reason. */
async function demandClear(
  { screening }: SubmissionParts,
  { chain }: SignedQuote,
  addresses: readonly Address[],
): Promise<void> {
  try {
    await screening.requireClear(chain.config.chainId, [...new Set(addresses)])
  } catch (error) {
    if (!addressNotServed.matches(error)) throw error
    throw quoteRefreshRequired('This quote is not served as it stands: refresh it')
  }
}

function signedBy(found: Submittable, chain: Chain): SignedQuote {
  const { intents } = readQuote(found.terms)
  const calls = intents.map(({ intent }) => decodeCalls(intent.executionData) ?? [])
  const payers = intents.map(({ intent }) => intent.eoa)
  return { ...withRecipient(found), details: found.asked.details, chain, calls, payers }
}

/**
 * Refuses a quote if the losses of the hour leave no room for its transaction, or if it never fits.
 * @param asked `network`: keyed name of the client's network. `contracts`: strangers' contracts. `gas`: gas of the
 * largest transaction.
 * @throws ServiceError GAS_BUDGET_USED_UP; SIMULATION_FAILED if it never fits, because waiting would not help.
 */
async function demandRoom(
  { database, gasBudget, config }: SubmissionParts,
  { chainId }: SignedQuote,
  asked: { accountId: string; network: string | null; contracts: readonly string[]; gas: bigint },
): Promise<void> {
  const { accountId, contracts, gas } = asked
  const runsStrangers = contracts.length > 0
  const least = gasBudget.mostOf(chainId, runsStrangers ? 'new' : 'plain_new')
  if (gas <= least && !gasBudget.hasLost(chainId)) return
  const share = await shareOfQuote(database, { accountId, runsStrangers }, config.provenAfter)
  const most = gasBudget.mostOf(chainId, share)
  if (gas > most)
    throw simulationFailed(
      `This puts ${gas} gas at risk, and this account may put at most ${most}: send it in parts, from fewer addresses each`,
    )
  await gasBudget.demandRoom({ chainId, share, ...asked })
}

/**
 * Returns the share of the chain's unpaid gas that a payment belongs to.
 * @param runsStrangers True if it runs code that the operator does not know.
 * @param provenAfter Confirmed payments that make an account a proven one.
 */
async function shareOfQuote(
  connection: CommonQueryMethods,
  { accountId, runsStrangers }: { accountId: string; runsStrangers: boolean },
  provenAfter: number,
): Promise<GasShare> {
  const isProven = (await countPaidQuotes(connection, accountId, provenAfter)) >= provenAfter
  if (runsStrangers) return isProven ? 'proven' : 'new'
  return isProven ? 'plain_proven' : 'plain_new'
}

/**
 * Limits the cost of an account's failures. A payment whose funds move away between simulation and block pays nothing
 * and costs gas. Pending quotes count too, and from the first failure on as if they had failed. Swaps fail when prices
 * move. They have a limit of their own, so that failed swaps do not stop sends, nor failed sends swaps.
 *
 * @param asking `isVolatile`: a swap whose price may move, with any slippage, also with a bridge after it. `others`:
 * the account's other quotes.
 * @throws ServiceError `forbidden` TOO_MANY_FAILED, `too-many-requests` TOO_MANY_UNDER_WAY.
 */
export function limitUnpaid(
  { maxUnpaid, maxUnpaidSwaps, maxUnderWay }: SubmissionsConfig,
  { isVolatile, others }: Pick<Submittable, 'isVolatile' | 'others'>,
): void {
  const atMost = isVolatile ? maxUnpaidSwaps : maxUnpaid
  const { unpaid, underWay, alike } = others
  if (unpaid >= atMost) throw tooManyFailed()
  if (underWay >= maxUnderWay) throw tooManyUnderWay(messageOf(maxUnderWay))
  // After a failure the pending quotes may fail as well; only those of the same sort count to this limit.
  if (unpaid > 0 && alike >= atMost - unpaid) throw tooManyUnderWay(messageOf(atMost - unpaid))
}

const messageOf = (most: number) => `So many payments of this account are pending: ${most}`
