import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { size, type Address } from 'viem'
import type { SubmittableQuote, NewIntent } from '../../../db/transact/intents-submit.ts'
import {
  findSubmittableQuote,
  insertIntents,
  isIntentTaken,
  lockSender,
  markSubmitted,
} from '../../../db/transact/intents-submit.ts'
import { listReservations } from '../../../db/transact/reservations.ts'
import type { GasShare } from '../../../db/chain/unpaid-gas/gas-budget.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { batchGasLimit } from '../intents/batch-gas.ts'
import type { SignedDelegation } from '../intents/delegation.ts'
import { describeRevert } from '../intents/describe-revert.ts'
import { encodeIntent } from '../intents/encode-intent.ts'
import { askFor } from '../intents/run-effects.ts'
import { explainFailure } from '../intents/explain-failure.ts'
import type { SubmittedIntent } from '../intents/intent-wire.ts'
import { hasCode } from '../../chain/unpaid-gas/has-code.ts'
import { MAX_TRANSACTION_GAS } from '../intents/simulate-intent.ts'
import { decodeCalls } from '../intents/encode-calls.ts'
import { readQuote } from '../quotes/quote-document.ts'
import { kindOf } from '../kinds/quote-kinds.ts'
import type { SignedQuote } from '../kinds/quote-kind.ts'
import type { Submission } from '../transact.ts'
import { demandAffordable } from './demand-affordable.ts'
import { limitUnpaid } from './limit-unpaid.ts'
import { checkDelegations, checkSignatures } from './check-signatures.ts'
import type { ExecutableIntent } from './executable-intent.ts'
import { matchTerms, type MatchedTerms } from './match-terms.ts'
import { shareOfQuote } from './share-of-quote.ts'
import { AUTHORIZATION_GAS } from '../intents/simulate-intent.ts'
import { demandIntents, simulateBatch } from './simulate-batch.ts'
import type { SubmissionParts } from './submission-parts.ts'
import { quoteExpired, quoteMismatch } from './errors.ts'
import { serverBusy } from '../../errors.ts'
import { chainNotSupported, simulationFailed } from '../../chain/errors.ts'
import { quoteNotFound, quoteRefreshRequired } from '../errors.ts'
import { addressNotServed } from '../screening/errors.ts'

/** Nodes lag behind each other: what one calls impossible is asked once more before it is refused. */
const SIMULATE_AGAIN_AFTER_MS = 300
/** Blocks that a reorg may take back: an intent may have been executed so much before it seems to have been submitted. */
const REORG_BLOCKS = 64n

/**
 * Checks a submission against its quote and queues its intents: quote and intents change in one database transaction, so
 * that of many equal submissions one is sent. A quote that was submitted before is left as it is.
 *
 * @returns The chain on which something was queued; null when it was before.
 * @throws ServiceError as {@link import('../transact.ts').Submissions.submit}.
 */
export async function submitQuote(
  parts: SubmissionParts,
  accountId: string,
  submission: Submission,
): Promise<number | null> {
  const { database, chains, config } = parts
  const found = await findSubmittableQuote(database, accountId, submission.quoteId)
  if (!found) throw quoteNotFound()
  if (found.submittedAt) return null
  const quote = demandOpen(found)
  const chain = chains.get(quote.chainId)
  if (!chain) throw chainNotSupported(`Chain ${quote.chainId} is not served`)
  demandIntents(chain)

  const matched = matchTerms(quote.terms, submission)
  demandTime(quote, matched, config.leastLifeMs)
  await checkSignatures(parts, matched)
  const { runsForeignCode } = kindOf(quote.kind)
  const [effective, toContract] = await Promise.all([
    checkDelegations(chain, matched),
    (runsForeignCode?.(signedBy(accountId, quote, chain)) ?? false) || findCode(chain, quote),
    demandClear(parts, quote, matched),
    limitUnpaid(database, config, { accountId, isVolatile: quote.isVolatile }, 0),
  ])
  const share = await shareOfQuote(
    database,
    parts.gasBudget,
    { accountId, quote, toContract },
    config.provenAfter,
  )
  if (share) {
    const least = matched.intents.reduce((sum, { intent }) => sum + intent.combinedGas, 0n)
    demandFit(parts, quote, share, least)
    await parts.gasBudget.demandRoom(quote.chainId, share, least)
  }
  const intents = await preflight(parts, chain, { accountId, quote }, matched, effective)
  const gas = batchGasLimit(intents)
  if (share) demandFit(parts, quote, share, gas)
  const head = chain.head()?.number ?? 0n
  const fromBlock = head > REORG_BLOCKS ? head - REORG_BLOCKS : 0n

  const isFirst = await database
    .transaction(async (transaction) => {
      // Submissions of one account wait for each other here: else many could find room for one.
      await lockSender(transaction, accountId)
      if (!(await markSubmitted(transaction, accountId, quote.id))) return false
      await limitUnpaid(transaction, config, { accountId, isVolatile: quote.isVolatile }, 1)
      // Here and not with the quote: who only looks at one keeps the offer. Its fee stays as it was signed either way.
      if (quote.feeWaived) await parts.feeWaivers.claimActivation(transaction, accountId)
      const of = { quoteId: quote.id, accountId, chainId: quote.chainId, fromBlock }
      await insertIntents(transaction, of, intents)
      await kindOf(quote.kind).submitted(transaction, signedBy(accountId, quote, chain))
      const risk = { reference: quote.id, chainId: quote.chainId, gas, paidGas: null }
      // Last, for others of the chain wait.
      if (share && share !== 'plain') await parts.gasBudget.take(transaction, { ...risk, share })
      return true
    })
    .catch((error: unknown) => {
      throw isIntentTaken(error) ? quoteMismatch('intents: one was submitted before') : error
    })
  if (isFirst) return quote.chainId
  // Somebody was faster: an equal submission, or an end of the quote.
  const now = await findSubmittableQuote(database, accountId, quote.id)
  if (!now?.submittedAt) demandOpen(now ?? quote)
  return null
}

/** Whether the recipient may make the payment fail: read in the batch that reads the delegations. */
async function findCode({ client }: Chain, { recipient }: OpenQuote): Promise<boolean> {
  try {
    return await hasCode(client, recipient)
  } catch (cause) {
    throw serverBusy('The chain cannot be asked now; try again in a moment', { cause })
  }
}

type OpenQuote = SubmittableQuote & { recipient: Address }

function demandOpen(quote: SubmittableQuote): OpenQuote {
  const { status, expiresAt, recipient } = quote
  if (status === 'replaced')
    throw quoteExpired('This quote was refreshed: submit the one that took its place')
  if (status === 'unlocked') throw quoteExpired('This quote was unlocked')
  if (status !== 'locked' || recipient === null || expiresAt.getTime() <= Date.now())
    throw quoteExpired('This quote has run out')
  return { ...quote, recipient }
}

/** What exceeds its share of the unpaid gas by itself would be told to wait for ever. */
function demandFit(
  { gasBudget }: SubmissionParts,
  { chainId }: SubmittableQuote,
  share: GasShare,
  gas: bigint,
): void {
  const most = gasBudget.mostOf(chainId, share)
  if (share === 'plain' || gas <= most) return
  throw simulationFailed(
    `To pay a contract takes ${gas} gas, and this account may have at most ${most}: send it in parts, from fewer addresses each`,
  )
}

/** What is mined too late costs us its gas and pays nothing. */
function demandTime(quote: SubmittableQuote, { intents }: MatchedTerms, leastLifeMs: number): void {
  const soonest = Date.now() + leastLifeMs
  if (intents.some(({ intent }) => expiryOf(intent.expiry, quote).getTime() < soonest))
    throw quoteExpired('It would be mined too late: ask for a new quote')
}

/** A quote may be a day old: refreshing it says what is the matter. */
async function demandClear(
  { screening }: SubmissionParts,
  quote: OpenQuote,
  { intents }: MatchedTerms,
): Promise<void> {
  try {
    await screening.requireClear(quote.chainId, [quote.recipient, ...intents.map(({ intent }) => intent.eoa)])
  } catch (error) {
    if (!addressNotServed.matches(error)) throw error
    throw quoteRefreshRequired('This quote is not served as it stands: refresh it')
  }
}

/** Runs what was signed as it would be sent, and reckons what it costs now. */
async function preflight(
  parts: SubmissionParts,
  chain: Chain,
  { accountId, quote }: { accountId: string; quote: OpenQuote },
  { intents }: MatchedTerms,
  effective: ReadonlyMap<string, SignedDelegation>,
): Promise<NewIntent[]> {
  const executables = intents.map(({ intent }): ExecutableIntent => ({
    eoa: intent.eoa,
    intentNonce: intent.intentNonce,
    encoded: encodeIntent(intent),
    delegation: effective.get(intent.eoa) ?? null,
  }))
  const {
    checkSubmission,
    submissionEffects,
    explainFailure: explainByKind,
    isNativeAtPar,
  } = kindOf(quote.kind)
  const signed = signedBy(accountId, quote, chain)
  const asked = askFor(submissionEffects?.(signed) ?? { told: 'nothing' }, [
    ...executables.map(({ eoa }) => eoa),
    quote.recipient,
  ])
  const simulate = () => simulateBatch(parts, chain, executables, undefined, asked)
  let simulated = await simulate()
  if (!isGood(simulated)) {
    await sleep(SIMULATE_AGAIN_AFTER_MS)
    simulated = await simulate()
  }
  const byKind = isGood(simulated) ? null : explainByKind?.(signed)
  if (byKind) throw byKind
  if (!simulated.success) throw simulationFailed(`It would fail: ${describeRevert(simulated.revert)}`)
  const failing = simulated.failures.findIndex((failure) => failure !== null)
  const failed = executables[failing]
  if (failed) {
    const reason = (await explainFailure(parts, chain, failed)) ?? simulated.failures[failing]
    throw simulationFailed(`intents[${failing}] would fail: ${reason}`)
  }
  if (checkSubmission) {
    const reserved = await listReservations(parts.database, quote.id)
    checkSubmission(
      simulated.run,
      signed,
      reserved.map(({ address, amount, networkFee, serviceFee }) => ({
        address,
        recipient: quote.recipient,
        amount: amount - networkFee - serviceFee,
        fee: networkFee + serviceFee,
      })),
    )
  }
  await demandAffordable(parts, quote, {
    gasUsed: simulated.gasUsed,
    bytes: bytesOf(executables),
    isNativeAtPar: isNativeAtPar?.(chain.config, signed) ?? false,
  })
  parts.rehearsals.note(quote.id, executables, simulated.origin)

  const shares = shareGas(simulated.gasUsed, executables, intents)
  const queued = intents.map(({ intent }, place): NewIntent => {
    const { encoded, delegation } = executables[place]!
    const delegated = effective.get(intent.eoa)
    return {
      id: randomUUID(),
      place,
      eoa: intent.eoa,
      intentNonce: intent.intentNonce,
      encoded,
      combinedGas: intent.combinedGas,
      transactionGas: shares[place]!,
      delegation: delegation && { ...delegation, ...pickDelegation(delegated!) },
      expiresAt: expiryOf(intent.expiry, quote),
    }
  })
  if (batchGasLimit(queued) > MAX_TRANSACTION_GAS)
    throw simulationFailed('It takes more gas than one transaction may have')
  return queued
}

function signedBy(accountId: string, quote: OpenQuote, chain: Chain): SignedQuote {
  const { id, token, amount, recipient, output, details, ageMs } = quote
  const calls = readQuote(quote.terms).intents.map(({ intent }) => decodeCalls(intent.executionData) ?? [])
  return { id, accountId, token, amount, recipient, output, details, ageMs, chain, calls }
}

/** Of the transaction without its signature, delegations included. */
const bytesOf = (executables: readonly ExecutableIntent[]) =>
  executables.reduce((sum, { encoded, delegation }) => sum + size(encoded) + (delegation ? 174 : 64), 250)

const isGood = (simulated: Awaited<ReturnType<typeof simulateBatch>>) =>
  simulated.success && simulated.failures.every((failure) => failure === null)

const pickDelegation = ({ contractAddress, authorizationNonce, signature }: SignedDelegation) => ({
  contractAddress,
  authorizationNonce,
  signature,
})

/**
 * What each intent adds to a transaction before refunds (at most a fifth of the gas, EIP-3529): the whole, shared by what
 * each was given, a delegation of its own on top.
 */
function shareGas(
  gasUsed: bigint,
  executables: readonly ExecutableIntent[],
  intents: readonly SubmittedIntent[],
): bigint[] {
  const delegating = executables.filter(({ delegation }) => delegation !== null).length
  const whole = (gasUsed * 5n) / 4n - AUTHORIZATION_GAS * BigInt(delegating)
  const given = intents.reduce((sum, { intent }) => sum + intent.combinedGas, 0n)
  return intents.map(
    ({ intent }, place) =>
      (whole * intent.combinedGas) / (given || 1n) +
      1n +
      (executables[place]!.delegation ? AUTHORIZATION_GAS : 0n),
  )
}

/** An intent without an expiry would be in others' hands for ever: no quote has one. */
function expiryOf(expiry: bigint, quote: SubmittableQuote): Date {
  return expiry > 0n ? new Date(Number(expiry) * 1_000) : quote.expiresAt
}
