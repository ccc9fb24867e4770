import type { Address } from 'viem'
import type { Chain } from '../../chain/nodes/chain.ts'
import { costOf } from '../../chain/nodes/sending-price.ts'
import { networkFeeOf } from '../fees/network-fee.ts'
import type { FundedPart, QuotePlan } from '../kinds/quote-plan.ts'
import type { SuffixOf } from './attribute-calls.ts'
import { partOf, type MeasuredIntent, measureIntents, type IntentTerms } from './build-intents.ts'
import { chooseExpiry } from './choose-expiry.ts'
import { chooseFunds, type ChosenFunds, type Holder, type QuoteMemories } from './choose-funds.ts'
import type { GroupHolders } from './group-holders.ts'
import { orOtherwise } from './or-otherwise.ts'
import type { Prepared } from './prepare-quote.ts'
import type { QuoteParts } from './quote-parts.ts'
import { simulationFailed } from '../../chain/errors.ts'
import type { SendingChain } from '../intents/sending-chain.ts'

/** A plan with all inputs of its price. */
export interface PreparedQuote extends Prepared {
  plan: QuotePlan
  holders: readonly Holder[]
  /** Groups of holders that may pay together; absent if any may, or if each pays for itself. */
  groupsOf: GroupHolders | undefined
  /** The user already accepted that any of them are joined. */
  isMixAgreed: boolean
  /** Nonces of the replaced quote, by address, so that only one of both can be executed. */
  nonces: ReadonlyMap<Address, bigint>
  expiresAt: Date
}

/** Lists the parts that a quote's addresses pay, in the order of its intents. */
export const partsOf = ({ plan, intents }: Pick<PricedQuote, 'plan' | 'intents'>): FundedPart[] =>
  intents.map(({ share }, place) => partOf(share, { recipient: plan.recipient.address, place }))

/** A quote, funded, measured and ready to be signed. */
export interface PricedQuote extends PreparedQuote {
  /** Amount that the plan's calls spend, without fees. */
  amount: bigint
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
  parts: QuoteParts & QuoteMemories,
  prepared: PreparedQuote,
  suffixOf: SuffixOf,
): Promise<PricedQuote> {
  return orOtherwise(prepared.plan, (plan) => pricePlan(parts, { ...prepared, plan }, suffixOf))
}

async function pricePlan(
  parts: QuoteParts & QuoteMemories,
  prepared: PreparedQuote,
  suffixOf: SuffixOf,
): Promise<PricedQuote> {
  const { sending, plan, rate, nonces } = prepared
  const expiry = chooseExpiry(plan, parts.config, byChainClock(sending.chain, prepared.expiresAt))
  let last: RunPlan = { plan, intents: [] }
  const chosen = await chooseFunds(parts, { ...prepared, amount: plan.amount }, async (funds) => {
    last = await runPlan(parts, sending, { plan, funds, expiry, suffixOf, nonces })
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
function byChainClock(chain: Pick<Chain, 'nextBlock'>, expiresAt: Date): { now: number; expiresAt: Date } {
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
  { plan, funds, ...terms }: { plan: QuotePlan; funds: ChosenFunds } & IntentTerms,
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
