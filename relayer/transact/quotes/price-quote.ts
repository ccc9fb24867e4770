import type { Address } from 'viem'
import type { Chain } from '../../chain/nodes/chain.ts'
import { costOf } from '../../chain/nodes/sending-price.ts'
import { networkFeeOf } from '../fees/network-fee.ts'
import type { FundedPart, PlannedOutput, QuotePlan, MaxPlan } from '../kinds/quote-plan.ts'
import {
  type SuffixOf,
  partOf,
  type MeasuredIntent,
  measureIntents,
  type SharedTerms,
} from './build-intents.ts'
import { chooseFunds, type ChosenFunds } from './choose-funds.ts'
import { type PreparedPlan, type QuoteParts, preparePlan } from './prepare-quote.ts'
import { simulationFailed } from '../../chain/errors.ts'
import type { SendingChain } from '../intents/sending-chain.ts'
import { insufficientBalance, insufficientFundsForFees, quoteLockConflict } from '../errors.ts'
import { effectiveBps, describeFees, nameShare } from '../fees/service-fee.ts'
import { kindOf, type MaxSentRequest } from '../kinds/quote-kinds.ts'
import type { MaxSpendable } from '../transact.ts'
import { worthOf } from './explain-shortage.ts'
import { FIVE_MINUTES, HOUR, roundUpTo } from '../intents/batch-gas.ts'
import type { QuotesConfig } from './config.ts'

/** A plan with all inputs of its price. */
export interface PriceInputs extends PreparedPlan<QuotePlan> {
  /** True if the user has accepted any link between the holders. */
  isMixAgreed: boolean
  /** Nonces of the replaced quote, by address, so that only one of both can be executed. */
  nonces: ReadonlyMap<Address, bigint>
  expiresAt: Date
}

/** Lists the parts that a quote's addresses pay, in the order of its intents. */
export const partsOf = ({ plan, intents }: PricedPlan): FundedPart[] =>
  intents.map(({ share }, place) => partOf(share, { recipient: plan.recipient.address, place }))

/** A quote, funded, measured and ready to be signed. */
export interface PricedPlan extends PriceInputs {
  /** Amount that the plan's calls spend, without fees. */
  amount: bigint
  output: PlannedOutput
  chosen: ChosenFunds
  intents: readonly MeasuredIntent[]
  networkFee: bigint
  serviceFee: bigint
  /** Present cost of sending in wei, without the margin. */
  gasCost: bigint
}

/**
 * Chooses funds, builds the intents and runs them. Fees assume a recipient that never held the token, so that
 * max-spendable holds for every recipient. If a recipient's contract takes more gas than the margin covers, the
 * measured gas is charged. If the plan's calls fail, its alternative is priced.
 *
 * @param suffixOf Returns the bytes that the calls carry behind their arguments.
 * @throws ServiceError as chooseFunds and measureIntents do.
 */
export function priceQuote(
  parts: QuoteParts,
  prepared: PriceInputs,
  suffixOf: SuffixOf,
): Promise<PricedPlan> {
  return orOtherwise(prepared.plan, (plan) => pricePlan(parts, { ...prepared, plan }, suffixOf))
}

async function pricePlan(parts: QuoteParts, prepared: PriceInputs, suffixOf: SuffixOf): Promise<PricedPlan> {
  const { kind, sending, plan, rate, nonces } = prepared
  const expiry = chooseExpiry(plan, parts.config, byChainClock(sending.chain, prepared.expiresAt))
  let last: RunPlan = { plan, intents: [] }
  const chosen = await chooseFunds(parts, { ...prepared, amount: plan.amount }, async (funds) => {
    last = await runPlan(parts, sending, { kind, plan, funds, expiry, suffixOf, nonces })
    return new Map(
      last.intents
        .filter(({ size, share }) => networkFeeOf(size, { ...rate, marginPercent: 0 }) > share.input.cost)
        .map(({ size, intent }) => [intent.eoa, size]),
    )
  })
  const { intents } = last
  return {
    ...prepared,
    plan: last.plan,
    amount: chosen.amount,
    output: last.plan.outputOf(
      chosen.amount,
      prepared.token,
      intents.map(({ share }) => share.toRecipient),
    ),
    chosen,
    intents,
    networkFee: chosen.inputs.reduce((sum, { cost }) => sum + cost, 0n),
    serviceFee: chosen.serviceFee,
    gasCost: intents.reduce((sum, { size }) => sum + costOf(rate.price, size), 0n),
  }
}

/**
 * Returns the present time and the end of a quote, in milliseconds, by the chain's clock if that is ahead: it decides
 * on expiry.
 */
function byChainClock(chain: Chain, expiresAt: Date): { now: number; expiresAt: Date } {
  const now = Date.now()
  const ahead = Math.max(0, Number(chain.nextBlock()?.timestamp ?? 0n) * 1_000 - now)
  return { now: now + ahead, expiresAt: new Date(expiresAt.getTime() + ahead) }
}

/** A plan in its final form, with its intents. */
interface RunPlan {
  plan: QuotePlan
  intents: readonly MeasuredIntent[]
}

/**
 * Builds the intents of a plan and runs them. If the calls do not deliver the planned output and the plan can learn it,
 * they are run again with calls that accept any output. The plan for that output is run last.
 * @throws ServiceError as measureIntents does, and as the plan does for an unacceptable output.
 */
async function runPlan(
  parts: Parameters<typeof measureIntents>[0],
  sending: SendingChain,
  { plan, funds, ...terms }: { plan: QuotePlan; funds: ChosenFunds } & SharedTerms,
): Promise<RunPlan> {
  const run = (of: QuotePlan) => measureIntents(parts, sending, funds, of, terms)
  const { learning } = plan
  try {
    return { plan, intents: await run(plan) }
  } catch (error) {
    if (!learning || !simulationFailed.matches(error)) throw error
  }
  await run(learning.trial)
  const settled = learning.settle()
  return { plan: settled, intents: await run(settled) }
}

/**
 * Works with a plan; if its calls fail, with the plan's alternative.
 * @throws ServiceError that the work throws; SIMULATION_FAILED of the last plan without an alternative.
 */
async function orOtherwise<Plan extends { otherwise?(): Promise<Plan | null> }, Result>(
  plan: Plan,
  work: (plan: Plan) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(plan)
  } catch (error) {
    const other = simulationFailed.matches(error) ? await plan.otherwise?.() : null
    if (!other) throw error
    return orOtherwise(other, work)
  }
}

/** Errors that mean that nothing can be sent. */
const NOTHING = [insufficientBalance, insufficientFundsForFees, quoteLockConflict]

/**
 * Returns the most that can be spent without fees, for any recipient; nothing is reserved. It uses the books: nodes are
 * queried about at most one address, which measures the gas.
 *
 * @throws ServiceError as the kind's plan, preparePlan and chooseFunds do.
 */
export async function priceMax(
  parts: QuoteParts,
  accountId: string,
  request: MaxSentRequest,
): Promise<MaxSpendable> {
  const { chainId } = request
  const sending = await parts.sendingChains.open(chainId)
  const kind = kindOf(request.kind)
  const plan = await kind.planMax({ ...parts, accountId, sending }, request)
  const prepared = await preparePlan(parts, accountId, { kind, sending }, plan)
  const { token, rate, terms } = prepared
  const chosen = await orOtherwise<MaxPlan, ChosenFunds>(plan, (tried) =>
    chooseFunds(parts, { ...prepared, plan: tried, amount: 'max' }),
  ).catch(toNothing)
  const amount = chosen?.amount ?? 0n
  const maxAmount = worthOf(amount, plan)
  const inputs = maxAmount > 0n && chosen ? chosen.inputs : []
  parts.screening.refuseKnown(
    chainId,
    inputs.map((input): Address => input.address),
  )
  const fees = describeFees(token, rate.tokenUsd, {
    network: inputs.reduce((sum, { cost }) => sum + cost, 0n),
    ...nameShare(kind, maxAmount > 0n && chosen ? chosen.serviceFee : 0n),
    vetting: maxAmount > 0n ? amount - maxAmount : 0n,
    dust: chosen?.dust ?? 0n,
    waived: terms.waived,
  })
  return {
    maxAmount,
    grossAmount: inputs.reduce((sum, { free }) => sum + free, 0n),
    fees,
    feeEstimateUsd: fees.totalUsd,
    spendableCount: inputs.length,
    protocolFeeBps: kind.price === 'service' ? effectiveBps(terms) : 0,
  }
}

function toNothing(error: unknown): ChosenFunds | null {
  if (NOTHING.some((shortage) => shortage.matches(error))) return null
  throw error
}

/** Rounded up, it stays below the 25 hours that wallets accept, even if a wallet's clock is five minutes slow. */
const LONGEST_SECONDS = 24 * HOUR - FIVE_MINUTES

/**
 * Chooses the end of a quote's intents, in seconds since 1970. The end is public in the calldata, and an exact one
 * would link the intents of a quote. So it is rounded up to one that many accounts share.
 */
export function chooseExpiry(
  {
    isVolatile,
    isShortLived,
    executeBefore,
  }: Pick<QuotePlan, 'isVolatile' | 'isShortLived' | 'executeBefore'>,
  { graceSeconds, volatileLifeSeconds }: Pick<QuotesConfig, 'graceSeconds' | 'volatileLifeSeconds'>,
  { now, expiresAt }: { now: number; expiresAt: Date },
): bigint {
  const last = Math.floor(expiresAt.getTime() / 1_000) + graceSeconds
  const chosen =
    isVolatile || isShortLived === true
      ? roundUpTo(FIVE_MINUTES, Math.min(last, Math.ceil(now / 1_000) + volatileLifeSeconds))
      : roundUpTo(HOUR, Math.min(last, Math.floor(now / 1_000) + LONGEST_SECONDS))
  return BigInt(Math.min(chosen, executeBefore ?? chosen))
}
