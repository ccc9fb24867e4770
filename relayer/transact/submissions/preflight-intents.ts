import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import type { NewIntent } from '../../../db/transact/intents-submit.ts'
import { listLockedTokens, listPayments, type Reservation } from '../../../db/transact/reservations.ts'
import { mapApart } from '../../concurrency/write-apart.ts'
import { simulationFailed } from '../../chain/errors.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { publicGasLimit, MAX_TRANSACTION_GAS } from '../intents/batch-gas.ts'
import type { SignedDelegation } from '../intents/delegation.ts'
import { describeRevert } from '../intents/describe-revert.ts'
import { explainIntentFailure } from '../intents/simulate-intent.ts'
import type { SubmittedIntent } from '../intents/intent-wire.ts'
import { askFor, type RunEffects, type SimulatedRun } from '../intents/simulated-run.ts'
import { AUTHORIZATION_GAS, sharedGasLimit } from '../intents/simulate-intent.ts'
import { checkParties, movedFunds } from '../kinds/check-parties.ts'
import { kindOf } from '../kinds/quote-kinds.ts'
import type { SignedQuote } from '../kinds/quote-kind.ts'
import type { FundedPart } from '../kinds/quote-plan.ts'
import { quoteRefreshRequired } from '../errors.ts'
import { hasLocked } from '../quotes/lock-moved.ts'
import { batchBytes, type Executable, simulateBatch, type BatchSimulation } from './simulate-batch.ts'
import { spreadIntents } from './spread-intents.ts'
import type { SubmissionParts } from './submission-parts.ts'
import { encodeIntent } from '../intents/intent.ts'

/** Pause before a failed simulation is repeated: nodes lag behind each other. */
const SIMULATE_AGAIN_AFTER_MS = 300

/** Returns the end of an intent. Without an expiry anybody could execute a copy for ever, so no quote has one. */
export function expiryOf(expiry: bigint, quote: SignedQuote): Date {
  return expiry > 0n ? new Date(Number(expiry) * 1_000) : quote.expiresAt
}

/** Input of a preflight: the quote, and its signed intents. */
interface Preflight {
  quote: SignedQuote
  /** In the order of the quote. */
  intents: readonly SubmittedIntent[]
  /** Checks these addresses, and returns the delegations that their intents still need, by address. */
  delegationsOf(addresses: readonly Address[]): Promise<ReadonlyMap<string, SignedDelegation>>
}

/** Intents of one transaction, with the result of its run. */
interface Run {
  executables: readonly Executable[]
  delegations: ReadonlyMap<string, SignedDelegation>
  simulated: Extract<BatchSimulation, { success: true }>
}

/**
 * Runs the signed intents in the form that would be sent, and computes the present cost. Intents that go alone are
 * checked and run one by one, with pauses between them.
 * @throws ServiceError `bad-request` SIMULATION_FAILED, QUOTE_REFRESH_REQUIRED, and as the quote's kind says.
 */
export async function preflightIntents(
  parts: SubmissionParts,
  chain: Chain,
  { quote, intents, delegationsOf }: Preflight,
): Promise<NewIntent[]> {
  const kind = kindOf(quote.kind)
  const alone = kind.transport === 'own'
  async function check(those: readonly SubmittedIntent[]): Promise<Run> {
    const delegations = await delegationsOf(those.map(({ intent }) => intent.eoa))
    const executables = those.map(({ intent }): Executable => ({
      eoa: intent.eoa,
      intentNonce: intent.intentNonce,
      encoded: encodeIntent(intent),
      delegation: delegations.get(intent.eoa) ?? null,
    }))
    const simulated = await demandRun(parts, chain, executables, quote)
    return { executables, delegations, simulated }
  }
  const transactions = alone ? intents.map((one) => [one]) : [intents]
  const [runs, payments] = await Promise.all([
    mapApart(transactions, alone, (those) =>
      parts.turns.about(those[0]?.intent.eoa ?? quote.recipient, () => check(those), transactions.length),
    ),
    listPayments(parts.database, quote.id),
  ])
  await checkRuns(parts, quote, runs, payments)
  if (kind.price !== 'none')
    await parts.feePrices.demandAffordable(quote, {
      sizes: runs.map(({ executables, simulated }) => ({
        gas: simulated.gasUsed,
        bytes: batchBytes(executables),
      })),
      isNativeAtPar: kind.isNativeAtPar(chain.config, quote),
    })
  const [only, ...more] = runs
  if (only && more.length === 0) parts.rehearsals.note(quote.id, only.executables, only.simulated.origin)
  const delays = alone
    ? spreadIntents(intents.length, {
        meanMs: parts.config.conversionSpacingMs,
        windowMs: quote.expiresAt.getTime() - Date.now(),
      })
    : []
  const queued = queueIntents(quote, intents, runs).map((intent, place) => ({
    ...intent,
    alone,
    delayMs: delays[place] ?? 0,
  }))
  if (gasLimitsOf(queued).some((limit) => limit > MAX_TRANSACTION_GAS))
    throw simulationFailed('It takes more gas than one transaction may have')
  return queued
}

/**
 * Checks that each run pays what the quote says, and takes nothing else.
 * @throws ServiceError as the quote's kind says; SIMULATION_FAILED, QUOTE_REFRESH_REQUIRED.
 */
async function checkRuns(
  parts: SubmissionParts,
  quote: SignedQuote,
  runs: readonly Run[],
  payments: readonly Reservation[],
): Promise<void> {
  const kind = kindOf(quote.kind)
  const payers = runs.flatMap(({ executables }) => executables.map(({ eoa }) => eoa))
  for (const { executables, simulated } of runs) {
    const paid = payments.flatMap(({ address, amount, networkFee, serviceFee, moved = 0n }): FundedPart[] =>
      executables.some(({ eoa }) => eoa === address)
        ? [
            {
              address,
              recipient: quote.recipient,
              amount: amount - moved - networkFee - serviceFee,
              fee: networkFee + serviceFee,
              serviceFee,
              place: payers.indexOf(address),
            },
          ]
        : [],
    )
    kind.checkSubmission(simulated.run, quote, paid)
    checkParties(simulated.run, paid, {
      token: quote.token,
      feeReceiver: kind.price !== 'none' ? quote.feeReceiver : null,
      movesOthers: kind.movesOthers,
    })
    if (kind.movesOthers) await demandLocked(parts, quote, simulated.run)
  }
}

/** Returns the intents as they are queued, with the gas that each needs. */
function queueIntents(quote: SignedQuote, intents: readonly SubmittedIntent[], runs: readonly Run[]) {
  const executables = runs.flatMap((run) => run.executables)
  const delegations = new Map(runs.flatMap((run) => [...run.delegations]))
  const gas = new Map(runs.flatMap((run) => shareGas(run, intents)))
  return intents.map(({ intent }, place) => {
    const { encoded, delegation } = executables[place]!
    const delegated = delegations.get(intent.eoa)
    return {
      id: randomUUID(),
      place,
      eoa: intent.eoa,
      intentNonce: intent.intentNonce,
      encoded,
      combinedGas: intent.combinedGas,
      transactionGas: gas.get(intent.eoa)!,
      delegation: delegation && { ...delegation, ...pickDelegation(delegated!) },
      expiresAt: expiryOf(intent.expiry, quote),
    }
  })
}

/** Returns the gas limit of each transaction that executes them. */
export const gasLimitsOf = (intents: readonly NewIntent[]): bigint[] =>
  intents.some(({ alone }) => alone)
    ? intents.map((intent) => publicGasLimit([intent]))
    : [publicGasLimit(intents)]

/** Runs one transaction; all of its intents must succeed. */
async function demandRun(
  parts: SubmissionParts,
  chain: Chain,
  executables: readonly Executable[],
  quote: SignedQuote,
): Promise<Run['simulated']> {
  const { token, recipient, feeReceiver } = quote
  const kind = kindOf(quote.kind)
  const effects = kind.movesOthers ? await watchLocked(parts, quote) : kind.submissionEffects(quote)
  const asked = askFor(effects, {
    token,
    owners: [...executables.map(({ eoa }) => eoa), recipient],
    feeReceiver: kind.price !== 'none' ? feeReceiver : null,
  })
  const simulate = () => simulateBatch(parts, chain, executables, undefined, asked)
  let simulated = await simulate()
  if (!goodOf(simulated)) {
    await sleep(SIMULATE_AGAIN_AFTER_MS)
    simulated = await simulate()
  }
  const good = goodOf(simulated)
  if (good) return good
  const place = simulated.success ? simulated.failures.findIndex((failure) => failure !== null) : -1
  const failure = simulated.success ? (simulated.failures[place] ?? null) : describeRevert(simulated.revert)
  const failed = executables[place]
  const byKind = kind.explainFailure(quote, { failure, failed: failed?.eoa ?? null })
  if (byKind) throw byKind
  if (!failed) throw simulationFailed(`It would fail: ${failure}`)
  const reason = (await explainIntentFailure(parts, chain, failed)) ?? failure
  const inQuote = quote.payers.indexOf(failed.eoa)
  throw simulationFailed(`intents[${inQuote}] would fail: ${reason}`)
}

/** Returns the effects that report the tokens which quotes have locked at the payers' addresses. */
async function watchLocked(
  { database }: SubmissionParts,
  { chain, payers }: SignedQuote,
): Promise<RunEffects> {
  const of = payers.map((address) => listLockedTokens(database, chain.config.chainId, address))
  return { told: 'balances', tokens: (await Promise.all(of)).flat() }
}

/** @throws ServiceError QUOTE_REFRESH_REQUIRED if the calls would take more than the quote has locked for them. */
async function demandLocked(
  { database }: SubmissionParts,
  { id: quoteId, accountId, chain, payers }: SignedQuote,
  run: SimulatedRun,
): Promise<void> {
  for (const address of payers) {
    const mover = { accountId, chainId: chain.config.chainId, address, quoteId }
    if (!(await hasLocked(database, mover, movedFunds(run, address))))
      throw quoteRefreshRequired('These calls would take more than this quote has locked: refresh it')
  }
}

/** Returns the run if all intents succeed in it, else null. */
const goodOf = (simulated: BatchSimulation): Run['simulated'] | null =>
  simulated.success && simulated.failures.every((failure) => failure === null) ? simulated : null

const pickDelegation = ({ contractAddress, authorizationNonce, signature }: SignedDelegation) => ({
  contractAddress,
  authorizationNonce,
  signature,
})

/**
 * Returns the gas that each intent adds to its transaction before refunds (at most a fifth, EIP-3529), by address. The
 * whole is shared by combinedGas, and each delegation is added to its own intent. The result is rounded up, because a
 * transaction's limit is public.
 */
function shareGas({ executables, simulated }: Run, intents: readonly SubmittedIntent[]): [string, bigint][] {
  const delegating = executables.filter(({ delegation }) => delegation !== null).length
  const whole = (simulated.gasUsed * 5n) / 4n - AUTHORIZATION_GAS * BigInt(delegating)
  const gasOf = new Map(intents.map(({ intent }) => [intent.eoa, intent.combinedGas]))
  const given = executables.reduce((sum, { eoa }) => sum + (gasOf.get(eoa) ?? 0n), 0n)
  return executables.map(({ eoa, delegation }) => [
    eoa,
    sharedGasLimit(
      (whole * (gasOf.get(eoa) ?? 0n)) / (given || 1n) + 1n + (delegation ? AUTHORIZATION_GAS : 0n),
    ),
  ])
}
